/** Evidence in a sentence. */
import { type Evidence, silenceOf } from "../../../core/model/evidence.ts";
import { secondsText } from "../../../core/model/text/seconds-text.ts";

export function evidenceText(evidence: Evidence): string {
  switch (evidence.kind) {
    case "lease-expired": {
      const silentMs = silenceOf(evidence);
      const before = silentMs === undefined ? "" : `, ${secondsText(silentMs)} before`;
      return `The lease of session ${evidence.session} was not renewed after renewal ${evidence.seq}${before}.`;
    }
    case "node-fenced":
      return `The node was fenced in session ${evidence.session}.`;
    case "replace-after":
      return `The node ${evidence.node} has been silent since session ${evidence.session} for the workload's replaceAfter.`;
    case "reconciled":
      return `${evidence.stays}, the other replica of its index, stays.`;
    case "session-ended":
      return `Session ${evidence.session} of the agent has ended.`;
    case "node-vanished":
      return `The node ${evidence.node} was deleted, and the lease of session ${evidence.session} has expired.`;
    case "agent-forgot":
      return `The agent of ${evidence.node} does not know of it, in session ${evidence.session}.`;
    case "person":
      return `${evidence.name} confirmed: ${evidence.statement}`;
    case "surplus":
      return `The workload ${evidence.workload} no longer wants it.`;
    case "rollout":
      return `The workload ${evidence.workload} rolls out another template.`;
    case "gang-deadline":
      return `The gang ${evidence.workload} did not fit in time.`;
    case "job-over":
      return `The job ${evidence.workload} has finished.`;
    case "job-ttl":
      return `The time to live of the finished job ${evidence.workload} has passed.`;
    case "drain":
      return `The node ${evidence.node} is being drained.`;
    case "policy-rollback":
      return `${evidence.policy} was rolled back from ${evidence.revision}, whose rollback plan evicts it.`;
    case "drain-forced":
      return `The drain deadline of ${evidence.node} has passed.`;
    case "quota-reclaim":
      return `${evidence.waiting} waits for quota that its tenant is entitled to.`;
    case "quota-shrunk":
      return `${evidence.quota} no longer covers the usage, and its shrink is drain.`;
    case "preempted":
      return `${evidence.by}, of a higher class, preempts it.`;
    case "hold-over":
      return `The room reserved for ${evidence.owner} has expired.`;
    case "damping-over":
      return `The node ${evidence.node} was held for flapping for the full time.`;
    case "load-observed":
      return `Observation ${evidence.observation} of ${evidence.autoscaler} justifies it.`;
    case "override-over":
      return `${evidence.override} has expired.`;
    case "binding-over":
      return `${evidence.binding} has expired.`;
    case "provision-over":
      return `The node ${evidence.node} was requested and did not join in time.`;
    case "budget-over":
      return `${evidence.budget} has expired.`;
    case "not-confirmed":
      return `${evidence.region} is connected again, and a bind now would break ${evidence.rule}.`;
    case "confirm-overdue":
      return `It was bound under override ${evidence.override} and was not confirmed in time.`;
    case "owners-gone":
      return evidence.owners.length === 1
        ? `Its owner (uid ${evidence.owners[0]}) is gone.`
        : `All of its owners are gone (uids ${evidence.owners.join(", ")}).`;
    case "owner-gone":
      return `The owner ${evidence.owner} is gone or has moved on.`;
  }
}
