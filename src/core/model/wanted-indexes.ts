/**
 * Whether a workload, as it stands, wants an index of a generation to have a replica (BD2, RO1).
 * Asked for every replica that is bound, so it walks nothing and makes nothing.
 */
import type { Workload } from "./objects.ts";
import { hasIndex } from "./index-set.ts";

export function wantsIndex(
  workload: Workload | undefined,
  wanted: { readonly uid: string; readonly generation: number; readonly index: number },
): boolean {
  return (
    workload !== undefined &&
    workload.meta.uid === wanted.uid &&
    workload.meta.deletingMs === undefined &&
    Number.isInteger(wanted.index) &&
    wanted.index >= 0 &&
    wanted.index < workload.spec.replicas &&
    wantsOfGeneration(workload, wanted.generation, wanted.index)
  );
}

/**
 * Which of the generations of a service an index is wanted of; while nothing rolls out it is one
 * for all indexes.
 */
function wantsOfGeneration({ status }: Workload, generation: number, index: number): boolean {
  const { rollout } = status;
  if (rollout === undefined) return generation === status.templateGeneration;
  if (generation === rollout.to) return hasIndex(rollout.begun, index);
  for (const old of rollout.old) {
    if (old.generation === generation) return hasIndex(old.indexes, index);
  }
  return false;
}
