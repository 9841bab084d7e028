/** Evidence in a sentence. */
import type { Evidence } from "../../core/model/evidence.ts";

export function evidenceText(evidence: Evidence): string {
  switch (evidence.kind) {
    case "lease-expired":
      return `The lease of session ${evidence.session} was not renewed after renewal ${evidence.seq}.`;
    case "node-fenced":
      return `The node was fenced in session ${evidence.session}.`;
    case "session-ended":
      return `Session ${evidence.session} of the agent has ended.`;
    case "person":
      return `${evidence.name} vouches: ${evidence.statement}`;
    case "surplus":
      return `The workload ${evidence.workload} no longer wants it.`;
    case "gang-deadline":
      return `The gang ${evidence.workload} found no room for all of it in time.`;
    case "drain":
      return `The node ${evidence.node} is being drained.`;
    case "quota-reclaim":
      return `${evidence.waiting} waits for quota that is its own tenant's.`;
    case "quota-shrunk":
      return `${evidence.quota} no longer covers what is used, and is to be drained.`;
    case "preempted":
      return `${evidence.by}, which matters more, needs the room.`;
    case "hold-over":
      return `Room was held for ${evidence.owner} as long as it was meant to be.`;
    case "owner-gone":
      return `The owner ${evidence.owner} is gone or has moved on.`;
  }
}
