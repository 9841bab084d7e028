/**
 * Times the recoveries of a run and sums up the spending of budgets, for reports on recovery times.
 * It watches like a checker and reports no violation. All times are true time, so that a slow
 * clock, or a new leadership that counts anew, makes no recovery look short.
 */
import type { Commit } from "../../core/protocol/commit-record.ts";
import { FAIRNESS_WINDOW_MS } from "../../core/model/recovery-budget.ts";
import type { ObjectKey, Uid } from "../../core/model/ids.ts";
import type { Workload } from "../../core/model/objects.ts";
import type { RecoveryStage, SpentMs } from "../../core/model/recovery.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import { RecoveryBudgetTally, type RecoveryBudgetUse } from "./recovery-budget-tally.ts";
import type { Checker, Truth } from "../check/checker.ts";
import { isRenewal } from "../check/fast-path.ts";
import { recoveryTerms } from "../check/models/naive-recovery-budgets.ts";

export interface TimedRecovery {
  /** `tenant/name`. */
  readonly workload: string;
  readonly withinMs: number;
  /** From the detection of the loss until as many served again, or until the run ended. */
  readonly tookMs: number;
  /** How long the first machine had been silent when the loss was detected; 0: none was silent. */
  readonly silentMs: number;
  readonly spentMs: SpentMs;
  /**
   * When it last got a place before a tenant that had less, counted from its beginning; 0: never.
   */
  readonly aheadMs: number;
  /** Its fairness window at that time; left out: recoveries had none, or it never went first. */
  readonly windowMs?: number;
  /** False: the run ended before it did. */
  readonly isOver: boolean;
}

/** All recoveries of a run. */
export interface RunRecoveries {
  /** In the order of their ends; those that are not over come last. */
  readonly timed: readonly TimedRecovery[];
  /** Every granted budget, in the order of the grants. */
  readonly budgets: readonly RecoveryBudgetUse[];
}

interface Running {
  readonly key: ObjectKey;
  readonly workload: string;
  readonly beganMs: number;
  readonly silentMs: number;
  withinMs: number;
  stage: RecoveryStage;
  sinceMs: number;
  readonly spentMs: Partial<Record<RecoveryStage, number>>;
  aheadMs: number;
  windowMs: number | undefined;
}

export class RecoveryTally implements Checker {
  readonly name = "recovery-tally";
  private readonly over: TimedRecovery[] = [];
  private readonly budgets = new RecoveryBudgetTally();
  private readonly running = new Map<Uid, Running>();

  afterCommit(commit: Commit, truth: Truth): void {
    if (isRenewal(commit)) return;
    this.budgets.afterCommit(commit, truth);
    for (const { before, after } of commit.changes) {
      if (after?.kind === "Workload") this.follow(after, truth);
      else if (after === undefined && before?.kind === "Workload") {
        this.running.delete(before.meta.uid);
      }
    }
  }

  /** It got places before a tenant that had less. */
  wentAhead(key: ObjectKey, { nowMs, objects }: Truth): void {
    for (const running of this.running.values()) {
      if (running.key !== key) continue;
      running.aheadMs = nowMs - running.beganMs;
      running.windowMs = fairnessWindow(objects);
    }
  }

  /** Undefined without a loss to recover from. */
  tell(nowMs: number): RunRecoveries | undefined {
    const open = [...this.running.values()].map((each) => timed(each, nowMs, false));
    const all = [...this.over, ...open];
    return all.length === 0 ? undefined : { timed: all, budgets: this.budgets.tell() };
  }

  private follow(workload: Workload, truth: Truth): void {
    const { uid } = workload.meta;
    const { under } = workload.status.recovery ?? {};
    const running = this.running.get(uid);
    if (under === undefined) {
      if (running === undefined) return;
      this.running.delete(uid);
      // Removing the objective also removes its recovery.
      if (workload.spec.recovery !== undefined) this.over.push(timed(running, truth.nowMs, true));
      return;
    }
    if (running === undefined) {
      this.running.set(uid, begun(workload, under.stage, truth));
      return;
    }
    running.withinMs = withinOf(workload);
    if (running.stage === under.stage) return;
    spend(running, truth.nowMs);
    running.stage = under.stage;
    running.sinceMs = truth.nowMs;
  }
}

/** A recovery has an objective; without one nothing could be late. */
const withinOf = ({ spec }: Workload): number => spec.recovery?.withinMs ?? Number.MAX_SAFE_INTEGER;

function begun(workload: Workload, stage: RecoveryStage, truth: Truth): Running {
  const { name, namespace } = workload.meta;
  return {
    key: workload.key,
    workload: `${namespace}/${name}`,
    beganMs: truth.nowMs,
    silentMs: silenceOf(workload, truth),
    withinMs: withinOf(workload),
    stage,
    sinceMs: truth.nowMs,
    spentMs: {},
    aheadMs: 0,
    windowMs: undefined,
  };
}

/**
 * From the policy in force, or the default; undefined: recoveries are not budgeted and have none.
 */
function fairnessWindow(objects: ObjectIndex): number | undefined {
  const terms = recoveryTerms(objects);
  return terms && (terms.fairnessWindowMs ?? FAIRNESS_WINDOW_MS);
}

/**
 * Counted from the last committed renewal: the machine may have failed a little later, never
 * sooner.
 */
function silenceOf(workload: Workload, truth: Truth): number {
  let longestMs = 0;
  for (const { status } of truth.objects.replicasOf(workload.key).values()) {
    if (status.stage !== "unknown" || status.node === undefined) continue;
    const heardMs = truth.leaseSentMs(status.node) ?? truth.nowMs;
    longestMs = Math.max(longestMs, truth.nowMs - heardMs);
  }
  return longestMs;
}

function spend(running: Running, nowMs: number): void {
  const { stage, spentMs, sinceMs } = running;
  spentMs[stage] = (spentMs[stage] ?? 0) + nowMs - sinceMs;
}

function timed(running: Running, nowMs: number, isOver: boolean): TimedRecovery {
  spend(running, nowMs);
  const { workload, withinMs, beganMs, silentMs, aheadMs, windowMs } = running;
  return {
    workload,
    withinMs,
    tookMs: nowMs - beganMs,
    silentMs,
    spentMs: { ...running.spentMs },
    aheadMs,
    ...(windowMs === undefined ? {} : { windowMs }),
    isOver,
  };
}
