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
    case "drain":
      return `The node ${evidence.node} is being drained.`;
    case "owner-gone":
      return `The owner ${evidence.owner} is gone or has moved on.`;
  }
}
