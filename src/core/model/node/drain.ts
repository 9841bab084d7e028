/** On which terms a node is emptied, and how far that has come. */
import type { Epoch } from "../ids.ts";

/** A day: a node that cannot be emptied in that time needs a person to look, not more patience. */
export const DRAIN_DEADLINE_MAX_MS = 86_400_000;

/**
 * What becomes of those who remain at the deadline. "stop": they stay, and no more are evicted.
 * "force": they are asked to stop, whether or not their workloads can spare them.
 */
export const AT_DEADLINE = ["stop", "force"] as const;
export type AtDeadline = (typeof AT_DEADLINE)[number];

export interface DrainTerms {
  /** Who drains it. Only this holder ends the drain or changes its terms. */
  readonly holder: string;
  readonly reason: string;
  /**
   * How long it may wait for workloads to spare their replicas; left out: for as long as it takes.
   */
  readonly deadlineMs?: number;
  /** Left out: "stop". Means nothing without a deadline. */
  readonly atDeadline?: AtDeadline;
}

/** Kept by the authority while a node is drained that has a deadline. */
export interface DrainProgress {
  /** The node's generation at which it was drained on these terms: names the drain. */
  readonly generation: number;
  /** On the clock of the authority of `epoch`; means nothing to any other. */
  readonly sinceMs: number;
  readonly epoch: Epoch;
  /** Set once the deadline has passed with replicas left, by the same rule of clocks. */
  readonly overMs?: number;
}
