/**
 * How many more replicas of a workload may be taken out of serving on purpose. Whatever is missing for another
 * reason counts, too: a workload that has lost two by a crash has none to spare for a drain.
 */
import type { ObjectKey } from "../model/ids.ts";
import type { Replica, Workload } from "../model/objects.ts";
import { wantsSlot } from "../model/wanted-slots.ts";
import { workloadOf } from "../model/workload-of.ts";
import type { ObjectIndex } from "./object-index.ts";

/** Serving, or done with its work, and not on its way out. */
export function isAvailable({ status }: Replica): boolean {
  if (status.stopping !== undefined) return false;
  return status.stage === "serving" || status.stage === "running" || status.stage === "succeeded";
}

export function isWanted(replica: Replica, workload: Workload | undefined): boolean {
  const { workloadUid: uid, generation, slot } = replica.spec;
  // One that was replaced stands for nobody: its slot is another's.
  if (replica.status.superseded !== undefined) return false;
  return wantsSlot(workload, { uid, generation, slot });
}

/** Whether taking this one out is a disruption at all: it serves, and is wanted. */
export const isDisruptive = (replica: Replica, workload: Workload | undefined): boolean =>
  workload?.spec.disruption !== undefined && isAvailable(replica) && isWanted(replica, workload);

/** Infinite without a bound; never negative. */
export function disruptionsLeft(objects: ObjectIndex, key: ObjectKey): number {
  const workload = objects.workload(key);
  const most = workload?.spec.disruption?.maxUnavailable;
  if (workload === undefined || most === undefined) return Number.POSITIVE_INFINITY;
  let available = 0;
  for (const replica of objects.replicasOf(key).values()) {
    if (isAvailable(replica) && isWanted(replica, workload)) available += 1;
  }
  const unavailable = workload.spec.replicas - available;
  return Math.max(0, most - unavailable);
}

/** Those of them, in their order, whom their workloads can spare at this moment. */
export function withinBudgets(
  objects: ObjectIndex,
  replicas: readonly Replica[],
): readonly Replica[] {
  const left = new Map<ObjectKey, number>();
  return replicas.filter((replica) => {
    const workload = workloadOf(replica);
    if (!isDisruptive(replica, objects.workload(workload))) return true;
    const spare = left.get(workload) ?? disruptionsLeft(objects, workload);
    left.set(workload, spare - 1);
    return spare > 0;
  });
}

/** The first workload of which too many would be taken out by letting all of these go, if there is one. */
export function overBudget(
  objects: ObjectIndex,
  victims: readonly Replica[],
): OverBudget | undefined {
  const taken = new Map<ObjectKey, number>();
  for (const victim of victims) {
    const key = workloadOf(victim);
    if (isDisruptive(victim, objects.workload(key))) taken.set(key, (taken.get(key) ?? 0) + 1);
  }
  for (const [workload, count] of taken) {
    const left = disruptionsLeft(objects, workload);
    if (count > left) return { workload, count, left };
  }
  return undefined;
}

interface OverBudget {
  readonly workload: ObjectKey;
  readonly count: number;
  readonly left: number;
}
