/** Whether a workload, as it stands, wants a slot of a generation to have a replica (BD2). */
import type { Workload } from "../../model/objects.ts";

export function wantsSlot(
  workload: Workload | undefined,
  of: { readonly uid: string; readonly generation: number; readonly slot: number },
): boolean {
  return (
    workload !== undefined &&
    workload.meta.uid === of.uid &&
    workload.meta.deletingMs === undefined &&
    workload.status.templateGeneration === of.generation &&
    Number.isInteger(of.slot) &&
    of.slot >= 0 &&
    of.slot < workload.spec.replicas
  );
}
