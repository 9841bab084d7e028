/** Lines a person can read, collected on request. */
import type { Reply } from "../../core/protocol/outcome.ts";
import type { DecisionRecord } from "../../core/protocol/decision.ts";
import type { TraceLine } from "./run-result.ts";

export class Trace {
  readonly lines: TraceLine[] = [];
  private readonly read: () => { readonly turn: number; readonly atMs: number };

  constructor(read: () => { readonly turn: number; readonly atMs: number }) {
    this.read = read;
  }

  say(component: string, text: string, decision?: DecisionRecord): void {
    const { turn, atMs } = this.read();
    this.lines.push({ turn, atMs, component, text, ...(decision && { decision }) });
  }
}

export function describeReply(reply: Reply): string {
  switch (reply.kind) {
    case "found":
      return `had committed at revision ${reply.first.revision}`;
    case "not-found":
      return "is not known";
    case "secrets":
      return reply.decided.kind === "given"
        ? `gives ${reply.decided.secrets.join(", ")}`
        : `withholds secrets: ${reply.decided.because.field} is ${reply.decided.because.actual}`;
    case "unavailable":
      return "was not taken: this plane does not lead";
    case "outcome":
      break;
  }
  const { outcome } = reply;
  switch (outcome.kind) {
    case "committed":
      return `committed at revision ${outcome.revision}`;
    case "duplicate":
      return `had already committed at revision ${outcome.first.revision}`;
    case "conflict":
    case "refused":
      return `${outcome.kind}: ${outcome.code} [${outcome.rule}], ${outcome.field} is ${outcome.actual}, expected ${outcome.expected}`;
  }
}

export function describeDecision({ key, viewRevision, decision }: DecisionRecord): string {
  const on = `on view revision ${viewRevision}`;
  switch (decision.kind) {
    case "wait":
      return `${key}: waits (${decision.reason}) ${on}: ${decision.because.summary}`;
    case "propose": {
      const intents = decision.intents.map(({ operation }) => operation).join(", ");
      return `${key}: proposes ${intents} ${on}: ${decision.because.summary}`;
    }
  }
}
