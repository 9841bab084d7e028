/** What people are told when the verdict on a promise changes. */
import type { VerdictMove } from "../../promises/promise-watch.ts";
import { aboutObject, type EventDraft } from "./event-draft.ts";

const REASONS = {
  holds: "PromiseHolds",
  breached: "PromiseBreached",
  "not-shown": "PromiseNotShown",
} as const;

export function eventOfVerdict(
  { commitment, standing, before }: VerdictMove,
  atMs: number,
): EventDraft {
  const { verdict, reason } = standing;
  const was = before === undefined ? "" : ` Before: ${before}.`;
  return {
    about: aboutObject(commitment),
    type: verdict === "breached" ? "Warning" : "Normal",
    reason: REASONS[verdict],
    message: `${reason}${was}`,
    source: "promises",
    atMs,
  };
}
