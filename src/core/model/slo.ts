/**
 * An objective for the control plane itself: the share of samples within a threshold, over a window
 * of time. Planes measure it from the log; nothing is decided by it, and nothing of how it goes is
 * committed.
 */

/**
 * What objectives can be set for: each time something took, or each look at how all is shared, is
 * one sample.
 */
export const INDICATORS = [
  "bind-latency",
  "queue-wait",
  "recovery",
  "fairness",
  "explain-latency",
  "watch-lag",
] as const;
export type Indicator = (typeof INDICATORS)[number];

export interface SloSpec {
  readonly indicator: Indicator;
  /** Only what is of this class counts; left out: all of it does. Of binds and waits only. */
  readonly priorityClass?: string;
  /** Milliseconds; of fairness, millionths of all there is. Samples up to it are good. */
  readonly threshold: number;
  /** So many of a million samples are to be good. */
  readonly objective: number;
  readonly windowMs: number;
}

/** All of something: nothing may ever go wrong then, and there is no budget to spend. */
export const WHOLE = 1_000_000;

/** Minutes are counted; four weeks of them are some megabytes for all objectives together. */
export const SLO_WINDOW_MS = { least: 60_000, most: 28 * 86_400_000 } as const;

export const hasClass = (indicator: Indicator): boolean =>
  indicator === "bind-latency" || indicator === "queue-wait";
