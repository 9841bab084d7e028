/**
 * Whether a workload, as it stands, wants a slot of a generation to have a replica (BD2, RO1).
 * Asked for every replica that is bound, so it walks nothing and makes nothing.
 */
import type { Workload } from "./objects.ts";
import { hasSlot } from "./slot-set.ts";

export function wantsSlot(
  workload: Workload | undefined,
  of: { readonly uid: string; readonly generation: number; readonly slot: number },
): boolean {
  return (
    workload !== undefined &&
    workload.meta.uid === of.uid &&
    workload.meta.deletingMs === undefined &&
    Number.isInteger(of.slot) &&
    of.slot >= 0 &&
    of.slot < workload.spec.replicas &&
    wantsOfGeneration(workload, of.generation, of.slot)
  );
}

/**
 * Which of the generations of a service a slot is wanted of; while nothing rolls out it is one for
 * all slots.
 */
function wantsOfGeneration({ status }: Workload, generation: number, slot: number): boolean {
  const { rollout } = status;
  if (rollout === undefined) return generation === status.templateGeneration;
  if (generation === rollout.to) return hasSlot(rollout.begun, slot);
  for (const old of rollout.old) {
    if (old.generation === generation) return hasSlot(old.slots, slot);
  }
  return false;
}
