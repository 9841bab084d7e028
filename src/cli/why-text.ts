/** Why an object is as it is, in lines a person can read: the waits, and the last word of each controller. */
import type { DecisionRecord } from "../core/decision.ts";
import type { Owed } from "../core/runner.ts";

export interface Why {
  readonly decisions: readonly DecisionRecord[];
  readonly waits: readonly (Owed & {
    readonly controller: string;
    readonly deadlineInMs: number;
  })[];
}

export function whyText({ decisions, waits }: Why): string {
  const waiting = waits.map(({ controller, reason, wakes, deadlineInMs }) => {
    const facts = wakes.length === 0 ? "" : ` on ${wakes.join(", ")}, and`;
    const soon = Math.max(0, Math.ceil(deadlineInMs / 1000));
    return `  ${controller} waits: ${reason}; looks again${facts} in ${soon} s at the latest`;
  });
  const lines = [...waiting, ...decisions.flatMap(decisionLines)];
  return lines.length === 0 ? "" : `Why:\n${lines.join("\n")}\n`;
}

function decisionLines({ controller, viewRevision, decision }: DecisionRecord): readonly string[] {
  if (decision.kind === "settled") return [];
  const { summary, rejected = {}, alternatives = [] } = decision.because;
  const did = decision.kind === "wait" ? "waits" : "proposed";
  return [
    `  ${controller} ${did} (on revision ${viewRevision}): ${summary}`,
    ...Object.entries(rejected).map(
      ([rule, { count, example }]) => `    ${rule} turned ${count} away, e.g. ${example}`,
    ),
    ...alternatives.map(({ name, score }) => `    next best: ${name} with ${score} points`),
  ];
}
