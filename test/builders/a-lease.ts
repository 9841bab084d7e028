/** The last renewal of a node. */
import { leaseKey } from "../../src/core/model/ids.ts";
import type { LeaseStatus } from "../../src/core/model/node/lease.ts";
import type { Lease } from "../../src/core/model/objects.ts";
import { aMeta } from "./a-meta.ts";

export function aLease(node = "a-1", of: Partial<LeaseStatus> = {}): Lease {
  const key = leaseKey(node);
  return {
    kind: "Lease",
    key,
    meta: aMeta(key, { revision: of.seq ?? 1 }),
    spec: { node },
    status: { session: 1, seq: 1, renewedMs: 0, epoch: 1, ...of },
  };
}
