/**
 * How many more replicas of a workload may be taken out of serving on purpose. Whatever is missing
 * for another reason counts, too: a workload that has lost two by a crash has none to spare for a
 * drain.
 */
import { isAvailable, isWanted } from "../model/availability.ts";
import type { ObjectKey } from "../model/ids.ts";
import { workloadMeant } from "../model/override.ts";
import type { Replica, Workload } from "../model/objects.ts";
import { workloadOf } from "../model/workload-of.ts";
import { overridesInForce } from "./override/overrides-in-force.ts";
import type { ObjectIndex } from "../observe/object-index.ts";

/**
 * A drain can wait, so it takes one replica at a time of services that state no budget (MT6). What
 * others are owed, room by priority and quota, does not wait for those.
 */
export type DisruptionCause = "drain" | "owed";

/** Whether taking this one out is a disruption at all: it serves, and is wanted. */
export const isDisruptive = (
  replica: Replica,
  workload: Workload | undefined,
  cause: DisruptionCause,
): boolean =>
  workload !== undefined &&
  (workload.spec.disruption !== undefined || goesOneByOne(workload, cause)) &&
  isAvailable(replica) &&
  isWanted(replica, workload);

const goesOneByOne = ({ spec }: Workload, cause: DisruptionCause): boolean =>
  cause === "drain" && spec.type === "service" && spec.disruption === undefined;

/**
 * One while every other replica that ever had a node serves. A replica that never had one may wait
 * for ever for quota, and the drain took nothing from it.
 */
function leftOneByOne(objects: ObjectIndex, workload: Workload): 0 | 1 {
  for (const replica of objects.replicasOf(workload.key).values()) {
    const { node, lastNode } = replica.status;
    const hadNode = (node ?? lastNode) !== undefined;
    if (hadNode && !isAvailable(replica) && isWanted(replica, workload)) return 0;
  }
  return 1;
}

/** By how much people have raised it for now; each of several counts (OV9). */
function raisedBy(objects: ObjectIndex, key: ObjectKey, nowMs: number | undefined): number {
  let raised = 0;
  for (const { spec } of overridesInForce(objects, nowMs)) {
    const isMeant = spec.action === "raise-budget" && workloadMeant(spec.target) === key;
    if (isMeant) raised += spec.amount ?? 0;
  }
  return raised;
}

/**
 * `otherwise` is what workloads may spare that do not say; never negative. Only the authority has a
 * `nowMs` that tells whether an override is over.
 */
export function disruptionsLeft(
  objects: ObjectIndex,
  key: ObjectKey,
  otherwise = Number.POSITIVE_INFINITY,
  nowMs?: number,
): number {
  const workload = objects.workload(key);
  const most = workload?.spec.disruption?.maxUnavailable ?? otherwise;
  if (workload === undefined || most === Number.POSITIVE_INFINITY) return most;
  let available = 0;
  for (const replica of objects.replicasOf(key).values()) {
    if (isAvailable(replica) && isWanted(replica, workload)) available += 1;
  }
  const unavailable = workload.spec.replicas - available;
  const isBudgeted = workload.spec.disruption !== undefined;
  const raised = isBudgeted ? raisedBy(objects, key, nowMs) : 0;
  return Math.max(0, most + raised - unavailable);
}

/** Those of them, in their order, whom their workloads can spare at this moment. */
export function withinBudgets(
  objects: ObjectIndex,
  replicas: readonly Replica[],
  cause: DisruptionCause,
): readonly Replica[] {
  const left = new Map<ObjectKey, number>();
  return replicas.filter((replica) => {
    const workload = workloadOf(replica);
    if (!isDisruptive(replica, objects.workload(workload), cause)) return true;
    const spare = left.get(workload) ?? leftFor(objects, workload, { cause });
    left.set(workload, spare - 1);
    return spare > 0;
  });
}

/**
 * The first workload of which too many would be taken out by letting all of these go, if there is
 * one.
 */
export function overBudget(
  objects: ObjectIndex,
  victims: readonly Replica[],
  disruption: { readonly cause: DisruptionCause; readonly nowMs?: number },
): OverBudget | undefined {
  const taken = new Map<ObjectKey, number>();
  for (const victim of victims) {
    const key = workloadOf(victim);
    if (isDisruptive(victim, objects.workload(key), disruption.cause))
      taken.set(key, (taken.get(key) ?? 0) + 1);
  }
  for (const [workload, count] of taken) {
    const left = leftFor(objects, workload, disruption);
    if (count > left) return { workload, count, left };
  }
  return undefined;
}

function leftFor(
  objects: ObjectIndex,
  key: ObjectKey,
  { cause, nowMs }: { readonly cause: DisruptionCause; readonly nowMs?: number },
): number {
  const workload = objects.workload(key);
  return workload !== undefined && goesOneByOne(workload, cause)
    ? leftOneByOne(objects, workload)
    : disruptionsLeft(objects, key, undefined, nowMs);
}

interface OverBudget {
  readonly workload: ObjectKey;
  readonly count: number;
  readonly left: number;
}
