/**
 * Whether a workload, as it stands, wants an index of a generation to have a replica (BD2, RO1).
 * Asked for every replica that is bound, so it walks nothing and makes nothing.
 */
import type { Workload } from "./objects.ts";
import { hasIndex } from "./index-set.ts";

export function wantsIndex(
  workload: Workload | undefined,
  of: { readonly uid: string; readonly generation: number; readonly index: number },
): boolean {
  return (
    workload !== undefined &&
    workload.meta.uid === of.uid &&
    workload.meta.deletingMs === undefined &&
    Number.isInteger(of.index) &&
    of.index >= 0 &&
    of.index < workload.spec.replicas &&
    wantsOfGeneration(workload, of.generation, of.index)
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
