/**
 * The openb trace as the benchmark of fragmentation gradient descent uses it: nodes with devices,
 * pods, and the published order in which they arrive. Where that order is not at hand, pods are
 * shuffled and repeated by the same rules with another source of chance, which compares with the
 * published means, not seed by seed.
 */
import { between, keyed } from "../../src/core/kernel/keyed-hash.ts";
import { TraceError, type TableRow, TraceFolder } from "../trace/trace-folder.ts";

export const OPENB_ORIGIN =
  "The openb trace is not part of Berth. Fetch github.com/hkust-adsl/kubernetes-scheduler-simulator (Apache-2.0; Weng et al., USENIX ATC 2023) and pass its folder as --data.";

export interface OpenbNode {
  readonly name: string;
  readonly cpuMillis: number;
  readonly memoryMiB: number;
  readonly devices: number;
  readonly model: string;
}

export interface OpenbPod {
  readonly name: string;
  readonly cpuMillis: number;
  readonly memoryMiB: number;
  readonly devices: number;
  /** Of each device; 0 for a pod that wants none. */
  readonly deviceMillis: number;
  /** Which models will do; none is any. */
  readonly models: readonly string[];
}

export interface Arrivals {
  readonly pods: readonly OpenbPod[];
  /** In the order in which ties are broken. */
  readonly nodes: readonly OpenbNode[];
  readonly order: "published" | "shuffled";
}

/** Pods arrive until they have asked for this much of all devices, in per cent. */
const ARRIVE_PERCENT = 130;

export class OpenbTrace {
  readonly nodes: readonly OpenbNode[];
  readonly pods: readonly OpenbPod[];
  readonly folder: TraceFolder;
  readonly workload: string;
  private readonly podOf: ReadonlyMap<string, OpenbPod>;
  private readonly nodeOf: ReadonlyMap<string, OpenbNode>;

  constructor(path: string, workload: string) {
    this.folder = new TraceFolder(path, OPENB_ORIGIN);
    this.workload = workload;
    this.nodes = this.readNodes();
    this.pods = this.readPods();
    this.podOf = new Map(this.pods.map((pod) => [numberOf(pod.name), pod]));
    this.nodeOf = new Map(this.nodes.map((node) => [numberOf(node.name), node]));
  }

  get deviceMillis(): number {
    return this.nodes.reduce((sum, { devices }) => sum + devices * 1000, 0);
  }

  arrivals(seed: number): Arrivals {
    const name = `order/${this.workload}_seed${seed}.txt`;
    const text = this.folder.find(name);
    return text === undefined ? this.shuffled(seed) : this.published(text, name);
  }

  private published(text: string, name: string): Arrivals {
    const [pods = "", nodes = ""] = text.split("\n");
    const look = <T>(line: string, known: ReadonlyMap<string, T>): readonly T[] =>
      line
        .trim()
        .split(" ")
        .slice(1)
        .map((number) => {
          const found = known.get(number);
          if (found !== undefined) return found;
          throw new TraceError(`Number ${number} is in no table.`, this.folder.at(name));
        });
    return { pods: look(pods, this.podOf), nodes: look(nodes, this.nodeOf), order: "published" };
  }

  private shuffled(seed: number): Arrivals {
    let draws = 0;
    const draw = (below: number): number =>
      between(keyed(seed, 0, (draws += 1), 0, 0), 0, below - 1);
    const pods = shuffle(this.pods, draw);
    const target = (this.deviceMillis * ARRIVE_PERCENT) / 100;
    let asked = pods.reduce((sum, pod) => sum + wanted(pod), 0);
    for (;;) {
      const pod = this.pods[draw(this.pods.length)];
      // The published runs weigh the last one by one device, however many it wants.
      if (pod === undefined || asked + pod.deviceMillis > target) break;
      pods.push(pod);
      asked += wanted(pod);
    }
    while (asked > target) {
      const [gone] = pods.splice(draw(pods.length), 1);
      if (gone === undefined) break;
      asked -= wanted(gone);
    }
    return { pods, nodes: shuffle(this.nodes, draw), order: "shuffled" };
  }

  private readNodes(): readonly OpenbNode[] {
    const name = "openb_node_list_gpu_node.csv";
    const columns = ["sn", "cpu_milli", "memory_mib", "gpu", "model"];
    return this.folder.table(columns, name, `data/csv/${name}`).map((row) => ({
      name: row["sn"] ?? "",
      cpuMillis: this.folder.number(row, "cpu_milli", name),
      memoryMiB: this.folder.number(row, "memory_mib", name),
      devices: this.folder.number(row, "gpu", name),
      model: row["model"] ?? "",
    }));
  }

  private readPods(): readonly OpenbPod[] {
    const name = `openb_pod_list_${this.workload}.csv`;
    const columns = ["name", "cpu_milli", "memory_mib", "num_gpu", "gpu_milli"];
    return this.folder
      .table(columns, `pods/${name}`, name, `data/csv/${name}`)
      .map((row) => this.readPod(row, name));
  }

  private readPod(row: TableRow, file: string): OpenbPod {
    const devices = this.folder.number(row, "num_gpu", file);
    const models = row["gpu_spec"] ?? "";
    return {
      name: row["name"] ?? "",
      cpuMillis: this.folder.number(row, "cpu_milli", file),
      memoryMiB: this.folder.number(row, "memory_mib", file),
      devices,
      deviceMillis: devices === 0 ? 0 : this.folder.number(row, "gpu_milli", file),
      models: models === "" ? [] : models.split("|"),
    };
  }
}

const wanted = ({ devices, deviceMillis }: OpenbPod): number => devices * deviceMillis;

/** Names end in a number, by which the orders call them. */
const numberOf = (name: string): string => name.slice(name.lastIndexOf("-") + 1);

function shuffle<T>(list: readonly T[], draw: (below: number) => number): T[] {
  const left = [...list];
  const drawn: T[] = [];
  while (left.length > 0) {
    const at = draw(left.length);
    const last = left.pop();
    const chosen = left[at] ?? last;
    if (chosen === undefined || last === undefined) break;
    drawn.push(chosen);
    if (at < left.length) left[at] = last;
  }
  return drawn;
}
