/** Everything a ledger says when asked, as one plain value: to see whether two are alike, or one changed. */
import type { Ledger } from "../../src/core/commit/ledger.ts";
import { KINDS } from "../../src/core/model/ids.ts";
import { TENANTS, WIDE, WORKLOADS } from "./desired-states.ts";

export function digest(ledger: Ledger): unknown {
  const { objects } = ledger;
  const replicas = [...objects.all("Replica").keys()];
  return structuredClone({
    revision: ledger.revision,
    epoch: ledger.epoch,
    leadSinceMs: ledger.leadSinceMs,
    objects: KINDS.map((kind) => objects.all(kind)),
    // Asked by name: an account nobody has looked at yet and an empty one are the same.
    accounts: TENANTS.map((tenant) => objects.accountOf(tenant)),
    uses: WIDE.nodes.map((node) => objects.useOf(node)),
    byNode: WIDE.nodes.map((node) => objects.replicasOn(node)),
    byWorkload: WORKLOADS.map((workload) => objects.replicasOf(workload)),
    byOwner: replicas.map((replica) => objects.reservationsOf(replica)),
  });
}
