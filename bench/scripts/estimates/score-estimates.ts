/** What was said of each wait in a run, and how long it then took. */
import type { ObjectKey } from "../../../src/core/model/ids.ts";
import { workloadOf } from "../../../src/core/model/workload-of.ts";
import {
  scoreWaits,
  type WaitScores,
  type WaitStatement,
} from "../../../src/replay/score-waits.ts";
import type { RunResult } from "../../../src/sim/report/run-result.ts";

export function scoreEstimates({ trace, commits = [] }: RunResult, scores: WaitScores): void {
  const statements = trace.flatMap(({ atMs, decision: record }): readonly WaitStatement[] => {
    if (record?.decision.kind !== "wait") return [];
    const { estimateMs, upToMs } = record.decision.because.queue ?? {};
    return estimateMs === undefined ? [] : [{ key: record.key, atMs, estimateMs, upToMs }];
  });
  scoreWaits({ statements, boundMs: bindsOf(commits, commitTimes(trace)) }, scores);
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
