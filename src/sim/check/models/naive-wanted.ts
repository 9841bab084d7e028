/**
 * Which replicas a workload wants, and how many of them live and serve, computed a second time:
 * whole lists of indexes instead of bounds of runs.
 */
import { workloadKey } from "../../../core/model/ids.ts";
import type { Replica, ReplicaSpec, Workload } from "../../../core/model/objects.ts";
import type { ObjectIndex } from "../../../core/observe/object-index.ts";

/** Generation and index of every replica it wants, while it is not being deleted. */
export function* wantedIndexes({
  spec,
  status,
}: Workload): Iterable<{ readonly generation: number; readonly index: number }> {
  for (let index = 0; index < spec.replicas; index += 1) {
    for (const generation of generationsOf(status, index)) yield { generation, index };
  }
}

function generationsOf(
  { rollout, templateGeneration }: Workload["status"],
  index: number,
): number[] {
  if (rollout === undefined) return [templateGeneration];
  const all = [{ generation: rollout.to, indexes: rollout.begun }, ...rollout.old];
  return all.filter(({ indexes }) => isIn(indexes, index)).map(({ generation }) => generation);
}

function isIn(runs: readonly number[], index: number): boolean {
  let isInside = false;
  for (const bound of runs) if (bound <= index) isInside = !isInside;
  return isInside;
}

type Index = Pick<ReplicaSpec, "workloadUid" | "generation" | "index">;

export function isWantedBy(workload: Workload | undefined, index: Index): boolean {
  return whyUnwanted(workload, index) === undefined;
}

/** As the end of a sentence that begins with the workload's name. */
export function whyUnwanted(
  workload: Workload | undefined,
  { workloadUid, generation, index }: Index,
): string | undefined {
  if (workload === undefined) return "does not exist";
  if (workload.meta.uid !== workloadUid) return "is another workload of the same name";
  if (workload.meta.deletingMs !== undefined) return "is being deleted";
  if (index >= workload.spec.replicas) return `wants only ${workload.spec.replicas} replicas`;
  const { status } = workload;
  const target = status.rollout?.to ?? status.templateGeneration;
  return generationsOf(status, index).includes(generation)
    ? undefined
    : `has moved on to generation ${target}`;
}

export const workloadOf = (objects: ObjectIndex, { meta, spec }: Replica): Workload | undefined =>
  objects.workload(workloadKey(meta.namespace, spec.workload));

export function isServing({ status }: Replica): boolean {
  const { stage, stopping } = status;
  const serves = stage === "serving" || stage === "running" || stage === "succeeded";
  return serves && stopping === undefined;
}

/** Its replicas of every generation. */
export function replicasOf(objects: ObjectIndex, { key, meta }: Workload): readonly Replica[] {
  const all = [...objects.replicasOf(key).values()];
  return all.filter(({ spec }) => spec.workloadUid === meta.uid);
}

/** How many of its wanted replicas serve or have succeeded. */
export const servingOf = (objects: ObjectIndex, workload: Workload): number =>
  replicasOf(objects, workload).filter(
    (replica) =>
      isServing(replica) &&
      replica.status.superseded === undefined &&
      isWantedBy(workload, replica.spec),
  ).length;

/** Admitted, running or stopping, unless its end cannot be known. */
export function isLiving({ status: { stage, stopping, superseded } }: Replica): boolean {
  if (stage === "released" || stage === "failed" || stage === "succeeded") return false;
  return superseded === undefined && !(stage === "unknown" && stopping !== undefined);
}

export const livingOf = (objects: ObjectIndex, workload: Workload): number =>
  replicasOf(objects, workload).filter(isLiving).length;

/** The bounds of a service's rollouts, or their defaults. */
export function boundsOf({ spec }: Workload): { surge: number; unavailable: number } {
  const { maxSurge = 1, maxUnavailable = 0 } = spec.rollout ?? {};
  // Counted up one by one: the first number that is enough for the surge, the last that is not too
  // many unavailable.
  let surge = 0;
  while (surge * 100 < hundredths(maxSurge, spec.replicas)) surge += 1;
  let unavailable = 0;
  const missed = hundredths(maxUnavailable, spec.replicas);
  while (unavailable * 100 + 100 <= missed) unavailable += 1;
  if (surge > 0 || unavailable > 0) return { surge, unavailable };
  return { surge: 0, unavailable: 1 };
}

const hundredths = (bound: number | string, replicas: number): number =>
  typeof bound === "number" ? bound * 100 : Number.parseInt(bound, 10) * replicas;

export const isRolling = ({ status }: Workload): boolean =>
  status.rollout?.stage === "rolling" || status.rollout?.stage === "going-back";
