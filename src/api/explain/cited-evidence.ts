/** The evidence that a commit cites, with its strength and its age at that moment. */
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { Evidence } from "../../core/model/evidence.ts";
import { nodeKey } from "../../core/model/ids.ts";
import type { PastLog } from "../../host/past-log.ts";
import { evidenceText } from "../kinds/text/evidence-text.ts";
import type { CitedEvidence } from "./explanation.ts";

/** What each kind may be cited for; the authority checks it before it commits. */
const PERMITS: Readonly<Record<Evidence["kind"], string>> = {
  "lease-expired": "fencing the node",
  "node-fenced": "the release of what ran there",
  "session-ended": "the release of what ran in that session",
  "replace-after": "giving its slot to another; it may still run",
  reconciled: "asking the other of the slot to stop",
  "node-vanished": "the release of what does not keep running",
  "agent-forgot": "the release of what its agent does not know",
  person: "fencing the node, on a person's word",
  surplus: "asking it to stop",
  rollout: "asking those of the old template to stop",
  "gang-deadline": "giving back the quota of what is queued",
  "job-over": "ending what is left of the job",
  "job-ttl": "deleting the job",
  drain: "asking it to leave, as far as its workload can spare it",
  "policy-rollback":
    "asking it to move, as far as its workload can spare it, or giving back the room that was held",
  "drain-forced": "asking it to leave, whether or not it can be spared",
  "quota-reclaim": "asking one that uses another's quota to stop",
  "quota-shrunk": "asking one to stop that its quota no longer covers",
  preempted: "asking those of a lower class to stop",
  "hold-over": "giving back the room that was held",
  "damping-over": "letting the node take new work again",
  "load-observed": "another number of replicas, within the bounds of its autoscaler",
  "budget-over": "removing the budget, on which nothing is bound any more",
  "override-over": "removing the override, which has no effect any more",
  "provision-over": "removing the node that was expected",
  "not-confirmed": "asking it to stop, since it was never confirmed",
  "confirm-overdue": "asking it to stop, since it was not confirmed in time",
  "owner-gone": "giving back what was held for nobody",
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
  if (evidence.kind === "lease-expired") return evidence.silentMs;
  if (!("node" in evidence) || revision <= past.start) return undefined;
  const node = past.objectAt(nodeKey(evidence.node), revision);
  return node?.kind === "Node" ? Math.max(0, atMs - node.status.healthSinceMs) : undefined;
}
