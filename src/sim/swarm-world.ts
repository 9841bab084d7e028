/** Draws a small world from a seed: places, tenants, what they ask for, and what people do when. */
import type { Amounts } from "../core/model/amounts.ts";
import type { Ask, Spread } from "../core/model/objects.ts";
import { worldNode, worldWorkload } from "./build-world.ts";
import { KeyedRandom } from "./keyed-random.ts";
import type { TimelineEntry, UserAction, World, WorldNode, WorldWorkload } from "./world.ts";

const FAULTS_UNTIL_MS = 60_000;
/** Progress is demanded after a relist and two resyncs, and some must happen one after the other. */
const HEAL_MS = 400_000;

type Region = World["regions"][number];

export function drawWorld(seed: number): World {
  return new WorldDraw(seed).draw();
}

class WorldDraw {
  private readonly seed: number;
  private readonly random: KeyedRandom;

  constructor(seed: number) {
    this.seed = seed;
    this.random = new KeyedRandom(seed, "swarm-world");
  }

  draw(): World {
    const { random } = this;
    const regions = this.regions();
    const nodes = this.times("nodes", 3, 20, (at) => this.node(at, regions));
    const tenants = this.times("tenants", 1, 3, (at) => ({
      name: `t${at + 1}`,
      quota: this.quota(at, nodes),
    }));
    const names = tenants.map(({ name }) => name);
    const workloads = this.times("workloads", 2, 8, (at) => this.workload(at, names, regions));
    return {
      name: `swarm-${this.seed}`,
      regions,
      nodes,
      tenants,
      workloads,
      schedulers: random.between("schedulers", 0, 1, 3),
      timeline: this.times("actions", 0, 12, (at) =>
        this.entry(at, { nodes, workloads, regions, names }),
      ),
      faultsUntilMs: FAULTS_UNTIL_MS,
      healMs: HEAL_MS,
      startUpMs: random.between("start-up", 0, 100, 4_000),
      batchRunMs: random.between("batch-run", 0, 1_000, 20_000),
    };
  }

  private times<T>(what: string, min: number, max: number, make: (at: number) => T): T[] {
    return Array.from({ length: this.random.between(what, 0, min, max) }, (_, at) => make(at));
  }

  private one<T>(what: string, at: number, from: readonly T[], otherwise: T): T {
    return from[this.random.draw(what, at) % Math.max(1, from.length)] ?? otherwise;
  }

  private regions(): readonly Region[] {
    return this.times("regions", 1, 3, (at) => {
      const name = `r${at + 1}`;
      const zones = this.random.between("zones", at, 1, 3);
      return { name, zones: Array.from({ length: zones }, (_, zone) => `${name}-${"abc"[zone]}`) };
    });
  }

  private node(at: number, regions: readonly Region[]): WorldNode {
    const { random } = this;
    const region = this.one("node region", at, regions, { name: "r1", zones: ["r1-a"] });
    return worldNode({
      name: `n${at + 1}`,
      region: region.name,
      zone: this.one("node zone", at, region.zones, "r1-a"),
      cpuMillis: random.between("node size", at, 2, 16) * 500,
      memoryMiB: random.between("node memory", at, 4, 32) * 256,
      gpus: random.chance("node has gpus", at, 25) ? random.between("node gpus", at, 1, 4) : 0,
      taints: random.chance("node tainted", at, 12) ? [{ key: "dedicated", value: "x" }] : [],
      labels: { disk: random.chance("node disk", at, 50) ? "ssd" : "hdd" },
    });
  }

  /** From ample to so tight that replicas must wait for each other. */
  private quota(at: number, nodes: readonly WorldNode[]): Amounts {
    const percent = this.random.between("quota", at, 10, 120);
    const share = (of: keyof Amounts): number =>
      Math.floor((nodes.reduce((sum, { spec }) => sum + spec.capacity[of], 0) * percent) / 100);
    return {
      cpuMillis: share("cpuMillis"),
      memoryMiB: share("memoryMiB"),
      devices: share("devices"),
    };
  }

  private workload(
    at: number,
    tenants: readonly string[],
    regions: readonly Region[],
  ): WorldWorkload {
    const { random } = this;
    const wantsGpu = random.chance("workload gpu", at, 20);
    // A few ask for more than any node has, and must be seen to wait.
    const isWhale = random.chance("workload infeasible", at, 8);
    return worldWorkload({
      tenant: this.one("workload tenant", at, tenants, "t1"),
      name: `w${at + 1}`,
      type: random.chance("workload type", at, 35) ? "batch" : "service",
      replicas: random.between("workload replicas", at, 0, 8),
      amounts: {
        cpuMillis: isWhale ? 100_000 : random.between("workload cpu", at, 1, 8) * 250,
        memoryMiB: random.between("workload memory", at, 1, 8) * 128,
        devices: wantsGpu ? random.between("workload gpus", at, 1, 2) : 0,
      },
      ask: this.ask(at, regions),
      spread: this.spread(at),
      onDisconnect: random.chance("workload keeps", at, 30) ? "keep" : "stop",
    });
  }

  private ask(at: number, regions: readonly Region[]): Partial<Ask> {
    const { random } = this;
    const region = this.one("ask region", at, regions, { name: "r1", zones: ["r1-a"] });
    return {
      regions: random.chance("ask for region", at, 25) ? [region.name] : [],
      zones: random.chance("ask for zone", at, 10)
        ? [this.one("ask zone", at, region.zones, "r1-a")]
        : [],
      nodeSelector: random.chance("ask for disk", at, 15) ? { disk: "ssd" } : {},
      tolerations: random.chance("ask tolerates", at, 30) ? [{ key: "dedicated", value: "" }] : [],
    };
  }

  private spread(at: number): readonly Spread[] {
    if (!this.random.chance("workload spreads", at, 35)) return [];
    const by = this.one("spread by", at, ["zone", "region", "node"] as const, "zone");
    return [{ by, maxSkew: this.random.between("spread skew", at, 1, 3) }];
  }

  private entry(at: number, of: Scene): TimelineEntry {
    // Some actions come after the faults: what people do in a healed world must work, too.
    const atMs = this.random.between("action time", at, 1_000, FAULTS_UNTIL_MS + 10_000);
    return { atMs, action: this.action(at, of) };
  }

  private action(at: number, { nodes, workloads, regions, names }: Scene): UserAction {
    const { random } = this;
    const workload = this.one("action workload", at, workloads, workloads[0]);
    const node = this.one("action node", at, nodes, nodes[0])?.name ?? "n1";
    const tenant = workload?.tenant ?? "t1";
    const name = workload?.name ?? "w1";
    switch (random.between("action", at, 0, 11)) {
      case 0:
      case 1:
      case 2:
        return {
          do: "scale",
          tenant,
          workload: name,
          replicas: random.between("action replicas", at, 0, 10),
        };
      case 3:
        return { do: "delete-workload", tenant, workload: name };
      case 4:
        return { do: "change-template", tenant, workload: name, command: ["run", name, `v${at}`] };
      case 5:
        return {
          do: "put-workload",
          workload: this.workload(at + workloads.length, names, regions),
        };
      case 6:
        return { do: "cordon", node, holder: `person-${at % 2}` };
      case 7:
        return { do: "uncordon", node, holder: `person-${at % 2}` };
      case 8:
        return { do: "drain", node };
      case 9:
        return { do: "undrain", node };
      case 10:
        return {
          do: "add-node",
          node: { ...this.node(at + nodes.length, regions), name: `late-${at}` },
        };
      default:
        return {
          do: "set-quota",
          tenant,
          limit: { cpuMillis: 200_000, memoryMiB: 200_000, devices: 40 },
        };
    }
  }
}

interface Scene {
  readonly nodes: readonly WorldNode[];
  readonly workloads: readonly WorldWorkload[];
  readonly regions: readonly Region[];
  readonly names: readonly string[];
}
