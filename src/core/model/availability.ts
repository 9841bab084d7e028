/** Whether a replica counts for its workload: it serves, and its index is one that is wanted. */
import type { Replica, Workload } from "./objects.ts";
import { wantsIndex } from "./wanted-indexes.ts";

/** Serving, or done with its work, and not on its way out. */
export function isAvailable({ status }: Replica): boolean {
  if (status.stopping !== undefined) return false;
  return status.stage === "serving" || status.stage === "running" || status.stage === "succeeded";
}

export function isWanted(replica: Replica, workload: Workload | undefined): boolean {
  const { workloadUid: uid, generation, index } = replica.spec;
  // Another replica has the index of one that was replaced.
  if (replica.status.superseded !== undefined) return false;
  return wantsIndex(workload, { uid, generation, index });
}
