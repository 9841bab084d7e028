/**
 * Waits of one controller for one cause are one step, however often they were repeated with other
 * waits between them. A commit ends the row: what comes after it is another part of the story.
 */
import type { Step, WaitStep } from "../../../src/api/explain/explanation.ts";

/** Oldest first, both. */
export function foldWaits(timeline: readonly Step[]): readonly Step[] {
  const folded: Step[] = [];
  /** By cause: where its step is in `folded`, since the last commit. */
  const row = new Map<string, number>();
  for (const step of timeline) {
    if (step.kind === "commit") {
      row.clear();
      folded.push(step);
      continue;
    }
    const cause = `${step.kind} ${step.decided.controller} ${step.of} ${step.reason}`;
    const at = row.get(cause);
    const earlier = at === undefined ? undefined : (folded[at] as WaitStep);
    if (at === undefined || earlier === undefined) {
      row.set(cause, folded.length);
      folded.push(step);
    } else folded[at] = joined(earlier, step);
  }
  return folded;
}

/** The newest reason stands, since when the first began. */
const joined = (earlier: WaitStep, later: WaitStep): WaitStep => ({
  ...later,
  since: earlier.since,
  times: earlier.times + later.times,
});
