/** What was said of each wait in a run, and how long it then took. */
import type { ObjectKey } from "../../../src/core/model/ids.ts";
import { workloadOf } from "../../../src/core/model/workload-of.ts";
import type { RunResult } from "../../../src/sim/report/run-result.ts";

export interface Scores {
  /** First statements of waits, and those of them that gave an interval. */
  said: number;
  withInterval: number;
  /** Of those with an interval. */
  withinEstimate: number;
  withinUpTo: number;
  /** Of those that gave an estimate without an interval. */
  bare: number;
  bareWithin: number;
  /** Widths of intervals: the end over the middle, in percent. */
  readonly widths: number[];
}

export const noScores = (): Scores => ({
  said: 0,
  withInterval: 0,
  withinEstimate: 0,
  withinUpTo: 0,
  bare: 0,
  bareWithin: 0,
  widths: [],
});

/** The first statement about each wait is scored: a later one has less of it before it. */
export function scoreEstimates({ trace, commits = [] }: RunResult, scores: Scores): void {
  const boundAt = bindsOf(commits, commitTimes(trace));
  const scored = new Map<ObjectKey, number>();
  for (const { atMs, decision: record } of trace) {
    if (record?.decision.kind !== "wait") continue;
    const { estimateMs, upToMs } = record.decision.because.queue ?? {};
    if (estimateMs === undefined) continue;
    const key = record.key;
    // Until the next bind of the workload it is the same wait.
    if (atMs < (scored.get(key) ?? 0)) continue;
    const endMs = boundAt.get(key)?.find((each) => each >= atMs) ?? Number.POSITIVE_INFINITY;
    scored.set(key, endMs + 1);
    const waitedMs = endMs - atMs;
    scores.said += 1;
    if (upToMs === undefined) {
      scores.bare += 1;
      if (waitedMs <= estimateMs) scores.bareWithin += 1;
      continue;
    }
    scores.withInterval += 1;
    if (waitedMs <= estimateMs) scores.withinEstimate += 1;
    if (waitedMs <= upToMs) scores.withinUpTo += 1;
    scores.widths.push(Math.round((upToMs * 100) / estimateMs));
  }
}

/**
 * On the clock of the simulation: each component has a clock of its own, and commits have that of
 * the authority.
 */
function commitTimes(trace: RunResult["trace"]): ReadonlyMap<number, number> {
  const times = new Map<number, number>();
  for (const { atMs, text } of trace) {
    const revision = Number(/ committed at revision (\d+)/.exec(text)?.[1] ?? 0);
    if (revision > 0 && !times.has(revision)) times.set(revision, atMs);
  }
  return times;
}

function bindsOf(
  commits: NonNullable<RunResult["commits"]>,
  committedMs: ReadonlyMap<number, number>,
): ReadonlyMap<ObjectKey, number[]> {
  const found = new Map<ObjectKey, number[]>();
  for (const { changes, revision } of commits) {
    const atMs = committedMs.get(revision);
    if (atMs === undefined) continue;
    for (const { before, after } of changes) {
      if (after?.kind !== "Replica" || after.status.node === undefined) continue;
      const was = before?.kind === "Replica" ? before.status.stage : undefined;
      if (was !== "queued") continue;
      const key = workloadOf(after);
      const times = found.get(key);
      if (times === undefined) found.set(key, [atMs]);
      else times.push(atMs);
    }
  }
  return found;
}
