/**
 * Which workload may be looked at before its turn: a recovering one. If recoveries are budgeted, it
 * needs an open fairness window and a budget with something left that the scheduler sees, and is
 * then bound on a budget.
 *
 * The authority ends a window, counts its time anew after a change of leadership, and schedulers
 * hear of the end later. So this checker compares the time only in a healed world, with patience;
 * at all other times the scheduler's own view counts. The authority never ends a window too early.
 */
import type { Commit } from "../../../core/protocol/commit-record.ts";
import type { DecisionRecord } from "../../../core/protocol/decision.ts";
import type { Workload } from "../../../core/model/objects.ts";
import type { ObjectIndex } from "../../../core/observe/object-index.ts";
import type { Report, Truth } from "../checker.ts";
import { isRenewal } from "../fast-path.ts";
import { recoveryBudgetFor, recoveryTerms } from "../models/naive-recovery-budgets.ts";
import { surely } from "../surely.ts";

/** The default where a revision says nothing. */
const WINDOW_MS = 300_000;

/**
 * A list and a resync make up for an end that was lost just before the world healed: see
 * `unfinished.ts`.
 */
const HEARD_MS = 120_000;

export class RecoveryTurns {
  /** True time at which each recovery began. */
  private readonly beganMs = new Map<string, number>();

  afterCommit(commit: Commit, { nowMs, objects }: Truth, report: Report): void {
    if (isRenewal(commit)) return;
    for (const { before, after } of commit.changes) {
      const name = after?.kind === "Workload" ? nameOf(after) : undefined;
      if (after?.kind !== "Workload" || name === undefined) continue;
      if (!this.beganMs.has(name)) this.beganMs.set(name, nowMs);
      const was = before?.kind === "Workload" ? before.status.recovery?.under : undefined;
      if (after.status.recovery?.under?.inTurn !== true || was?.inTurn === true) continue;
      const lastedMs = nowMs - (this.beganMs.get(name) ?? nowMs);
      const windowMs = recoveryTerms(objects)?.fairnessWindowMs ?? WINDOW_MS;
      if (lastedMs >= surely(windowMs)) continue;
      const what = `the window of ${after.key} is said to be over after ${lastedMs} ms`;
      report("INV162", `${what} of ${windowMs} ms.`, after.key);
    }
  }

  /** By the state in `objects`. */
  isAhead({ key, decision }: DecisionRecord, objects: ObjectIndex, truth: Truth): boolean {
    const workload = objects.workload(key);
    const under = workload?.status.recovery?.under;
    if (workload === undefined || under === undefined) return false;
    const terms = recoveryTerms(objects);
    if (terms === undefined) return true;
    if (under.inTurn === true || !isOnRecoveryBudget(decision)) return false;
    const fromMs = Math.max(
      this.beganMs.get(nameOf(workload) ?? "") ?? truth.nowMs,
      truth.world.faultsUntilMs,
    );
    const windowMs = terms.fairnessWindowMs ?? WINDOW_MS;
    if (truth.nowMs - fromMs > windowMs + HEARD_MS) return false;
    return [...objects.replicasOf(key).values()].some(
      (replica) =>
        replica.status.stage === "queued" && recoveryBudgetFor(objects, replica, {}) !== undefined,
    );
  }
}

/** Whether every bind it asks for, if any, names a budget. */
function isOnRecoveryBudget(decision: DecisionRecord["decision"]): boolean {
  if (decision.kind !== "propose") return true;
  return decision.intents.every((intent) => {
    if (intent.kind === "bind") return intent.budget !== undefined;
    if (intent.kind !== "bind-all") return true;
    return intent.bindings.every(({ budget }) => budget !== undefined);
  });
}

/** Names the current recovery, not an earlier one of the same workload. */
const nameOf = ({ meta, status }: Workload): string | undefined => {
  const under = status.recovery?.under;
  return under && `${meta.uid} since ${under.beganMs}`;
};
