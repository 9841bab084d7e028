/** What has to be seen to know whether work needs a machine, or could need one. */
import type { Interest } from "../../observe/interest.ts";

export const POOL_INTEREST: Interest = {
  kinds: new Set([
    "NodePool",
    "Node",
    "Workload",
    "Replica",
    "Reservation",
    "Quota",
    "PriorityClass",
    "Policy",
    "PolicyRevision",
    "Secret",
  ]),
  node: undefined,
  onlyWith: "NodePool",
};
