/** The evidence that a commit cites, with its strength and its age at that moment. */
import type { Commit } from "../../core/protocol/commit-record.ts";
import { type Evidence, silenceOf } from "../../core/model/evidence.ts";
import { nodeKey } from "../../core/model/ids.ts";
import type { PastLog } from "../../host/past-log.ts";
import { evidenceText } from "../kinds/text/evidence-text.ts";
import type { CitedEvidence } from "./explanation.ts";

/** What each kind may be cited for; the authority checks it before it commits. */
const PERMITS: Readonly<Record<Evidence["kind"], string>> = {
  "lease-expired": "fencing the node",
  "node-fenced": "releasing the replicas that ran there",
  "session-ended": "releasing the replicas of that session",
  "replace-after": "replacing it; it may still run",
  reconciled: "stopping the other replica of its index",
  "node-vanished": "releasing the replicas that stop when disconnected",
  "agent-forgot": "releasing the replicas that its agent does not know",
  person: "fencing the node, on a person's word",
  surplus: "stopping it",
  rollout: "stopping the replicas of the old template",
  "gang-deadline": "returning the quota of its queued members",
  "job-over": "stopping the rest of the job",
  "job-ttl": "deleting the job",
  drain: "evicting it within the disruption budget of its workload",
  "policy-rollback":
    "evicting it within the disruption budget of its workload, or freeing the reserved room",
  "drain-forced": "evicting it regardless of the disruption budget",
  "quota-reclaim": "stopping a replica that uses borrowed quota",
  "quota-shrunk": "stopping a replica that the quota no longer covers",
  preempted: "preempting replicas of a lower class",
  "hold-over": "freeing the reserved room",
  "damping-over": "letting the node take new work again",
  "load-observed": "another number of replicas, within the bounds of its autoscaler",
  "budget-over": "removing the budget, which has no bindings any more",
  "override-over": "removing the expired override",
  "binding-over": "removing the expired role binding",
  "provision-over": "removing the node that did not join",
  "not-confirmed": "stopping it, because it was never confirmed",
  "confirm-overdue": "stopping it, because it was not confirmed in time",
  "owners-gone": "deleting an object without its owners",
  "owner-gone": "freeing a reservation without an owner",
};

export function citedEvidence(
  { evidence, atMs, revision }: Pick<Commit, "evidence" | "atMs" | "revision">,
  past: PastLog,
): CitedEvidence | undefined {
  if (evidence === undefined) return undefined;
  const ageMs = ageOf(evidence, { atMs, revision }, past);
  return {
    kind: evidence.kind,
    says: evidenceText(evidence),
    permits: PERMITS[evidence.kind],
    ...(ageMs === undefined ? {} : { ageMs }),
  };
}

/** How long a silence had lasted, or since when the node was as it was. */
function ageOf(
  evidence: Evidence,
  { atMs, revision }: Pick<Commit, "atMs" | "revision">,
  past: PastLog,
): number | undefined {
  if (evidence.kind === "lease-expired") return silenceOf(evidence);
  if (!("node" in evidence) || revision <= past.start) return undefined;
  const node = past.objectAt(nodeKey(evidence.node), revision);
  return node?.kind === "Node" ? Math.max(0, atMs - node.status.healthSinceMs) : undefined;
}
