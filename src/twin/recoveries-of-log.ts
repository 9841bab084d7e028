/**
 * The recoveries that the log of a real plane tells, by the very record that a twin keeps: so a
 * measured and a simulated recovery are the same figure. The log does not know when power went or a
 * process ended; the caller that did it says so, on the clock of the plane.
 */
import type { Commit } from "../core/protocol/commit-record.ts";
import type { ObjectKey } from "../core/model/ids.ts";
import { ObjectIndex } from "../core/observe/object-index.ts";
import type { LiveProcess } from "../sim/check/checker.ts";
import { ServingRecord } from "./serving-record.ts";
import type { TwinRecovery } from "./twin-run.ts";

export interface LoggedLoss {
  /** Of the plane, from its first one on. */
  readonly commits: readonly Commit[];
  readonly lostMs: number;
  /** When the last process of each lost node ended. */
  readonly endedMs: ReadonlyMap<string, number>;
  /** What the log has beyond is not looked at: the fleet is taken down. */
  readonly untilMs: number;
}

export function recoveriesOfLog(of: LoggedLoss): readonly TwinRecovery[] {
  const record = new ServingRecord();
  const truth = new LoggedTruth();
  const happenings = [
    { atMs: of.lostMs, act: () => record.begin(of.lostMs) },
    ...[...of.endedMs].map(([node, atMs]) => ({
      atMs: Math.max(atMs, of.lostMs),
      act: () => {
        for (const process of truth.endAll(node)) record.processEnded(process, truth);
      },
    })),
  ].toSorted((a, b) => a.atMs - b.atMs);
  const happen = (untilMs: number): void => {
    while ((happenings[0]?.atMs ?? Infinity) <= untilMs) {
      const next = happenings.shift();
      truth.nowMs = next?.atMs ?? truth.nowMs;
      next?.act();
    }
  };
  for (const commit of of.commits) {
    if (commit.atMs > of.untilMs) break;
    happen(commit.atMs);
    truth.nowMs = commit.atMs;
    for (const change of commit.changes) truth.objects.fold(change);
    record.afterCommit(commit, truth);
  }
  happen(of.untilMs);
  record.end(of.untilMs);
  return record.recoveries();
}

/** How long each incarnation took from the start of its process to its first good probe. */
export function startUpsOfLog(commits: readonly Commit[]): readonly number[] {
  const startedMs = new Map<ObjectKey, number>();
  const tookMs: number[] = [];
  for (const { atMs, changes } of commits) {
    for (const { key, before, after } of changes) {
      if (after?.kind !== "Replica") continue;
      const was = before?.kind === "Replica" ? before.status.stage : undefined;
      const { stage } = after.status;
      if (stage === was) continue;
      const started = startedMs.get(key);
      startedMs.delete(key);
      if (stage === "starting") startedMs.set(key, atMs);
      else if (stage === "ready" && started !== undefined) tookMs.push(atMs - started);
    }
  }
  return tookMs;
}

/** A replica has its process for as long as the log says and its node is there. */
class LoggedTruth {
  readonly objects = new ObjectIndex();
  nowMs = 0;
  private readonly ended = new Set<string>();

  *processesOn(node: string): Generator<LiveProcess> {
    if (!this.ended.has(node)) yield* this.heldBy(node);
  }

  endAll(node: string): readonly LiveProcess[] {
    this.ended.add(node);
    return [...this.heldBy(node)];
  }

  private *heldBy(node: string): Generator<LiveProcess> {
    for (const { key, status } of this.objects.replicasOn(node).values()) {
      const { incarnation, stageSinceMs } = status;
      yield { replica: key, incarnation, node, leashed: true, startedMs: stageSinceMs };
    }
  }
}
