/** Evidence in a sentence. */
import type { Evidence } from "../../../core/model/evidence.ts";
import { secondsText } from "../../../core/model/text/seconds-text.ts";

export function evidenceText(evidence: Evidence): string {
  switch (evidence.kind) {
    case "lease-expired":
      return `The lease of session ${evidence.session} was not renewed after renewal ${evidence.seq}${
        evidence.silentMs === undefined ? "" : `, ${secondsText(evidence.silentMs)} before`
      }.`;
    case "node-fenced":
      return `The node was fenced in session ${evidence.session}.`;
    case "replace-after":
      return `The node ${evidence.node} has been silent since session ${evidence.session} for as long as is waited for it.`;
    case "reconciled":
      return `${evidence.stays}, the other of its slot, stays.`;
    case "session-ended":
      return `Session ${evidence.session} of the agent has ended.`;
    case "node-vanished":
      return `The node ${evidence.node} was deleted, and the lease of session ${evidence.session} is over.`;
    case "agent-forgot":
      return `The agent of ${evidence.node} does not know of it, in session ${evidence.session}.`;
    case "person":
      return `${evidence.name} vouches: ${evidence.statement}`;
    case "surplus":
      return `The workload ${evidence.workload} no longer wants it.`;
    case "rollout":
      return `The workload ${evidence.workload} moves to another template.`;
    case "gang-deadline":
      return `The gang ${evidence.workload} found no room for all of it in time.`;
    case "job-over":
      return `The job ${evidence.workload} is over.`;
    case "job-ttl":
      return `The job ${evidence.workload} has been over for as long as it was to be kept.`;
    case "drain":
      return `The node ${evidence.node} is being drained.`;
    case "policy-rollback":
      return `${evidence.policy} was set back from ${evidence.revision}, whose plan says that it goes.`;
    case "drain-forced":
      return `The deadline of the drain of ${evidence.node} has passed.`;
    case "quota-reclaim":
      return `${evidence.waiting} waits for quota that is its own tenant's.`;
    case "quota-shrunk":
      return `${evidence.quota} no longer covers what is used, and is to be drained.`;
    case "preempted":
      return `${evidence.by}, which matters more, needs the room.`;
    case "hold-over":
      return `Room was held for ${evidence.owner} as long as it was meant to be.`;
    case "damping-over":
      return `The node ${evidence.node} was held for flapping as long as it was meant to be.`;
    case "load-observed":
      return `Observation ${evidence.observation} of ${evidence.autoscaler} asks for it.`;
    case "override-over":
      return `The time of ${evidence.override} is over.`;
    case "provision-over":
      return `The node ${evidence.node} was asked for and has not come.`;
    case "budget-over":
      return `${evidence.budget} is over.`;
    case "not-confirmed":
      return `${evidence.region} is back, and a bind now would break ${evidence.rule}.`;
    case "confirm-overdue":
      return `It was bound while override ${evidence.override} held, and was not confirmed in time.`;
    case "owner-gone":
      return `The owner ${evidence.owner} is gone or has moved on.`;
  }
}
