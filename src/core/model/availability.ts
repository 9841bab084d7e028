/** Whether a replica counts for its workload: it serves, and its slot is one that is wanted. */
import type { Replica, Workload } from "./objects.ts";
import { wantsSlot } from "./wanted-slots.ts";

/** Serving, or done with its work, and not on its way out. */
export function isAvailable({ status }: Replica): boolean {
  if (status.stopping !== undefined) return false;
  return status.stage === "serving" || status.stage === "running" || status.stage === "succeeded";
}

export function isWanted(replica: Replica, workload: Workload | undefined): boolean {
  const { workloadUid: uid, generation, slot } = replica.spec;
  // Another replica has the slot of one that was replaced.
  if (replica.status.superseded !== undefined) return false;
  return wantsSlot(workload, { uid, generation, slot });
}
