/** What a line of a simulated run tells of, by how the engine words it. */
import type { TraceLine } from "../sim/report/run-result.ts";
import type { Mark, Turn } from "./incident-document.ts";

const SEES = /^(saw \d|was given a list)/;
const LEADS = /^(claimed the log|leads under epoch|resigned|stopped by its host)/;
const STARTS = /^(started|goes on after|the node goes on)/;
const FAULTS = [
  /^(crashed|cannot reach|its clock|the node (is paused|crashed)|watch-|stale-list|every request)/,
  /^(is not shown|hears nothing|is paused|stops; back|half of the machine|the log is dropped)/,
  /^append \d+ (answered unknown|did not land)/,
  /\bthe (request|reply) (was|is) |did not get through|reached no plane|could not (pass|send)/,
] as const;

export function lineKind({ text, decision }: Pick<TraceLine, "text" | "decision">): Turn["what"] {
  if (decision !== undefined) return "decide";
  if (SEES.test(text)) return "see";
  if (LEADS.test(text) || STARTS.test(text)) return "start";
  if (/\(attempt \d+\) .*\b(refused|conflict): /.test(text)) return "refuse";
  // Also an answer, whatever became of it.
  if (/\(attempt \d+\) (sent to|from|asked for by) /.test(text)) return "send";
  return isFault(text) ? "fault" : "other";
}

/**
 * A message that is lost is sent all the same: a fault shows as a mark whatever the line is about.
 */
export function markOf({
  text,
  decision,
}: Pick<TraceLine, "text" | "decision">): Mark["kind"] | undefined {
  if (decision !== undefined) return undefined;
  if (LEADS.test(text)) return "lead";
  return isFault(text) ? "fault" : undefined;
}

const isFault = (text: string): boolean => FAULTS.some((pattern) => pattern.test(text));
