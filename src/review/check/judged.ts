/** What one run of the twin says about a promise. */
import type { Use } from "./margin.ts";

export interface Judged {
  /** "unknown": the run does not tell. */
  readonly is: "kept" | "broken" | "unknown";
  /** What it took; left out: it did not end, or took no time. */
  readonly ms?: number;
  readonly slowest?: string;
  /** How much of what is allowed it took, where that is not its time. */
  readonly use?: Use;
  /** An invariant of Berth broke in it. */
  readonly isViolated?: true;
  /** Why it is not kept; cause first, without a full stop. */
  readonly why?: string;
}
