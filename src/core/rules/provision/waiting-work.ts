/**
 * Who waits in the queue, by workload, in the order in which room that comes is promised to them:
 * the higher priority first, then the older, then the first by name (PN2). Replicas of one template
 * ask for the same, so they are looked at together.
 */
import type { ObjectKey } from "../../model/ids.ts";
import type { ObjectOf, Replica, Workload } from "../../model/objects.ts";
import { workloadOf } from "../../model/workload-of.ts";
import { isWanted } from "../../model/availability.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";

/**
 * Replicas of one workload and one template that have waited long enough, in the order of their
 * indexes.
 */
export interface WaitingWork {
  readonly workload: Workload;
  readonly first: Replica;
  readonly replicas: readonly Replica[];
}

export interface Waiting {
  readonly work: readonly WaitingWork[];
  /** In the queue, and not for long enough yet. */
  readonly tooShort: number;
  /** Not in the queue, for want of quota. */
  readonly unqueued: number;
  /** They have a node and do not serve yet. */
  readonly starting: number;
}

export function waitingWork(
  objects: ObjectIndex,
  hasWaited: (replica: Replica) => boolean,
): Waiting {
  const groups = new Map<string, { workload: Workload; replicas: Replica[] }>();
  const counts = { tooShort: 0, unqueued: 0, starting: 0 };
  for (const replica of objects.all("Replica").values()) {
    const { stage } = replica.status;
    if (stage === "serving" || stage === "running") continue;
    const key = workloadOf(replica);
    const workload = objects.workload(key);
    if (workload === undefined || !isWanted(replica, workload)) continue;
    if (stage === "admitted") counts.unqueued += 1;
    if (stage === "bound" || stage === "starting") counts.starting += 1;
    if (stage !== "queued") continue;
    if (!hasWaited(replica)) {
      counts.tooShort += 1;
      continue;
    }
    const name = `${key}/${replica.spec.generation}`;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, { workload, replicas: [replica] });
    else group.replicas.push(replica);
  }
  const work = [...groups.values()].map(({ workload, replicas }): WaitingWork => {
    const sorted = replicas.toSorted((a, b) => a.spec.index - b.spec.index || byKey(a.key, b.key));
    return { workload, first: sorted[0] as Replica, replicas: sorted };
  });
  return { work: work.toSorted(inOrder(objects.all("PriorityClass"))), ...counts };
}

type Classes = ReadonlyMap<ObjectKey, ObjectOf<"PriorityClass">>;

function inOrder(classes: Classes): (a: WaitingWork, b: WaitingWork) => number {
  return (a, b) =>
    valueOf(classes, b.first) - valueOf(classes, a.first) ||
    a.workload.meta.createdMs - b.workload.meta.createdMs ||
    byKey(a.first.key, b.first.key);
}

/** Work without a class is below every class. */
function valueOf(classes: Classes, { spec }: Replica): number {
  const { priorityClass } = spec.template;
  if (priorityClass === "") return Number.MIN_SAFE_INTEGER;
  const key = `PriorityClass//${priorityClass}` as ObjectKey;
  return classes.get(key)?.spec.value ?? Number.MIN_SAFE_INTEGER;
}

const byKey = (a: ObjectKey, b: ObjectKey): number => (a < b ? -1 : 1);
