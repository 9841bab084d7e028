/** How far every workload has come, in a few lines that change as it goes on. */
import { STAGES } from "../../core/model/stage.ts";
import { recordOf, type ShownObject, textOf, wantedOf } from "../../steering/api-object.ts";

export interface Seen {
  readonly workloads: readonly ShownObject[];
  readonly replicas: readonly ShownObject[];
  readonly nodes: readonly ShownObject[];
}

export interface ProgressRow {
  readonly workload: string;
  /** `bound 1 · starting 1 · serving 2` */
  readonly stages: string;
  /** Share of the wanted replicas that have arrived, from 0 to 1. */
  readonly share: number;
  readonly wanted: number;
  /** Where they are, in the order of indexes. */
  readonly nodes: readonly string[];
}

export interface ProgressTable {
  readonly rows: readonly ProgressRow[];
  /** `5 ready, 1 suspect` */
  readonly nodes: string;
}

const ARRIVED: ReadonlySet<string> = new Set(["serving", "running", "ready", "succeeded"]);

export function progressTableOf({ workloads, replicas, nodes }: Seen): ProgressTable {
  const rows = workloads.map((workload) => rowOf(workload, replicas)).toSorted(byName);
  return { rows, nodes: healthOf(nodes) };
}

const byName = (a: ProgressRow, b: ProgressRow): number => (a.workload < b.workload ? -1 : 1);

function rowOf(workload: ShownObject, replicas: readonly ShownObject[]): ProgressRow {
  const own = replicasOf(workload, replicas);
  const wanted = wantedOf(workload);
  const arrived = own.filter((replica) => ARRIVED.has(stageOf(replica))).length;
  const stages = STAGES.map((stage) => [
    stage,
    own.filter((each) => stageOf(each) === stage).length,
  ])
    .filter(([, count]) => count !== 0)
    .map(([stage, count]) => `${stage} ${count}`)
    .join(" · ");
  const { namespace = "", name, deletionTimestamp } = workload.metadata;
  return {
    workload: `${namespace}/${name}`,
    stages: [stages || "nothing yet", ...(deletionTimestamp ? ["being deleted"] : [])].join(" · "),
    share: wanted === 0 ? 1 : Math.min(1, arrived / wanted),
    wanted,
    nodes: own.map(({ status }) => textOf(status?.["node"])).filter((node) => node !== ""),
  };
}

function replicasOf(
  { metadata }: ShownObject,
  replicas: readonly ShownObject[],
): readonly ShownObject[] {
  return replicas
    .filter(
      ({ metadata: own, spec }) =>
        own.namespace === metadata.namespace && spec?.["workload"] === metadata.name,
    )
    .filter((replica) => stageOf(replica) !== "released")
    .toSorted((a, b) => indexIn(a) - indexIn(b));
}

const stageOf = ({ status }: ShownObject): string => textOf(status?.["stage"]);
const indexIn = ({ spec }: ShownObject): number => Number(spec?.["index"] ?? 0);

function healthOf(nodes: readonly ShownObject[]): string {
  const counts = new Map<string, number>();
  for (const { status } of nodes) {
    const health = textOf(recordOf(status)["health"]);
    counts.set(health, (counts.get(health) ?? 0) + 1);
  }
  const order = ["ready", "suspect", "unknown", "fenced"];
  return (
    order
      .filter((health) => counts.has(health))
      .map((health) => `${counts.get(health)} ${health}`)
      .join(", ") || "none yet"
  );
}
