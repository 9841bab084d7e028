/**
 * How often estimates of waits were right: half of the waits should end within the estimate, and
 * nine of ten within the end of its interval. Of each wait the first statement counts, because a
 * later one has less of it before it.
 */
import type { ObjectKey } from "../core/model/ids.ts";

/** A scheduler said how long a workload's next replica waits for a place. */
export interface WaitStatement {
  readonly key: ObjectKey;
  readonly atMs: number;
  readonly estimateMs: number;
  /** Nine of ten such waits end by then; left out: too few have ended to say. */
  readonly upToMs?: number | undefined;
}

export interface WaitScores {
  /** Waits with an estimate, and those of them with an interval. */
  said: number;
  withInterval: number;
  /** Of those with an interval. */
  withinEstimate: number;
  withinUpTo: number;
  /** Of those with an estimate and without an interval. */
  bare: number;
  bareWithin: number;
  /** Of intervals: the end in percent of the estimate. */
  readonly widths: number[];
  /** Not over at the end, and not yet longer than was said: they tell nothing. */
  open: number;
}

export const noScores = (): WaitScores => ({
  said: 0,
  withInterval: 0,
  withinEstimate: 0,
  withinUpTo: 0,
  bare: 0,
  bareWithin: 0,
  widths: [],
  open: 0,
});

export interface WaitRecord {
  /** In the order of their times. */
  readonly statements: readonly WaitStatement[];
  /** When replicas of each workload found a place, in order. */
  readonly boundMs: ReadonlyMap<ObjectKey, readonly number[]>;
  /** Nothing is known of what came later; left out: waits that have not ended never end. */
  readonly untilMs?: number;
}

export function scoreWaits({ statements, boundMs, untilMs }: WaitRecord, scores: WaitScores): void {
  const scoredUntil = new Map<ObjectKey, number>();
  for (const { key, atMs, estimateMs, upToMs } of statements) {
    // Until the next bind of the workload it is the same wait.
    if (atMs < (scoredUntil.get(key) ?? 0)) continue;
    const endMs = boundMs.get(key)?.find((each) => each >= atMs) ?? Number.POSITIVE_INFINITY;
    scoredUntil.set(key, endMs + 1);
    const isOpen = endMs === Number.POSITIVE_INFINITY && untilMs !== undefined;
    if (isOpen && untilMs - atMs <= (upToMs ?? estimateMs)) {
      scores.open += 1;
      continue;
    }
    score(scores, { waitedMs: endMs - atMs, estimateMs, upToMs });
  }
}

interface Ended extends Pick<WaitStatement, "estimateMs" | "upToMs"> {
  readonly waitedMs: number;
}

function score(scores: WaitScores, { waitedMs, estimateMs, upToMs }: Ended): void {
  scores.said += 1;
  if (upToMs === undefined) {
    scores.bare += 1;
    if (waitedMs <= estimateMs) scores.bareWithin += 1;
    return;
  }
  scores.withInterval += 1;
  if (waitedMs <= estimateMs) scores.withinEstimate += 1;
  if (waitedMs <= upToMs) scores.withinUpTo += 1;
  scores.widths.push(Math.round((upToMs * 100) / estimateMs));
}
