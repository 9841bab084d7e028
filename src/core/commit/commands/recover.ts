/**
 * Says how the recovery of a workload goes: that as many serve as it asks for, that some were lost,
 * where those have come to that it waits for, that its time is over, that it is back. The sender
 * says only that there is something to say; what it is, is counted here, on the truth and the
 * authority's own clock (RV6).
 */
import { FAIRNESS_WINDOW_MS } from "../../model/recovery-budget.ts";
import type { Workload } from "../../model/objects.ts";
import {
  type Recovered,
  type Recovering,
  type RecoveryStage,
  type RecoveryStatus,
  RECOVERY_NOTED_MS,
  slowestStage,
  spentInAll,
  type SpentMs,
} from "../../model/recovery.ts";
import { recoveryRules } from "../../rules/recovery/recovery-budgets-now.ts";
import { type RecoveryNow, recoveryNow } from "../../observe/recovery-now.ts";
import type { IntentOf } from "../../protocol/command.ts";
import { type CommitContext, changed, missing, touched, type Verdict } from "../verdict.ts";
import { reject } from "../../protocol/rejection.ts";
import { sinceMoment } from "../checks/batch-incarnations.ts";

export function checkRecover(context: CommitContext, intent: IntentOf<"recover">): Verdict {
  const workload = context.ledger.objects.workload(intent.workload);
  if (workload === undefined) return missing(intent.workload);
  const { key, status } = workload;
  if (context.role !== "keep-recovery") {
    return reject("not-owner", key, "keep-recovery", context.role);
  }
  const now = recoveryNow(context.ledger.objects, workload);
  const recovery = nextRecovery(context, workload, now);
  if (recovery === undefined) {
    const found = `${now.serving} of ${now.bar} serve, ${now.stage ?? "none"} is waited for`;
    return reject("recovery-not-due", key, "something new to say", found);
  }
  const after: Workload = {
    ...workload,
    meta: touched(workload.meta, context.next),
    status: { ...status, recovery },
  };
  return [changed<Workload>(workload, after)];
}

function nextRecovery(
  context: CommitContext,
  { spec, status }: Workload,
  now: RecoveryNow,
): RecoveryStatus | undefined {
  const { under, ...was } = status.recovery ?? {};
  if (under !== undefined) {
    const withinMs = spec.recovery?.withinMs ?? Number.POSITIVE_INFINITY;
    if (now.stage === undefined) return { ...was, last: ended(context, under, withinMs) };
    const next = goneOn(context, under, { stage: now.stage, withinMs, now });
    return next && { ...was, under: next };
  }
  if (now.stage !== undefined) return { ...was, under: begun(context, now.stage, now) };
  const isReached = now.target > 0 && now.serving >= now.target;
  return isReached && was.reached !== now.target ? { ...was, reached: now.target } : undefined;
}

const begun = (
  context: CommitContext,
  stage: RecoveryStage,
  { bar, serving }: RecoveryNow,
): Recovering => ({
  beganMs: context.nowMs,
  lost: bar - serving,
  stage,
  since: momentOf(context),
  spentMs: {},
});

/**
 * Another stage, more lost, no time left, or more of it than a later leadership should have to
 * forget; undefined: it goes on as it did.
 */
function goneOn(
  context: CommitContext,
  under: Recovering,
  asked: { readonly stage: RecoveryStage; readonly withinMs: number; readonly now: RecoveryNow },
): Recovering | undefined {
  const { stage, withinMs, now } = asked;
  const spentMs = spentBy(context, under);
  const inAllMs = spentInAll(spentMs);
  const isLate = under.missed === undefined && inAllMs >= withinMs;
  const isInTurn = under.inTurn === undefined && inAllMs >= windowOf(context);
  const lost = Math.max(under.lost, now.bar - now.serving);
  const isFurther = stage !== under.stage || lost > under.lost;
  const isNoted = isFurther || isLate || isInTurn || isToBeNoted(context, under);
  if (!isNoted) return undefined;
  return {
    ...under,
    lost,
    stage,
    since: momentOf(context),
    spentMs,
    ...(isLate ? { missed: slowestStage(spentMs) } : {}),
    ...(isInTurn ? { inTurn: true } : {}),
  };
}

/** Only while something still depends on how long it takes. */
function isToBeNoted(context: CommitContext, { missed, inTurn, since }: Recovering): boolean {
  const isMeasured =
    missed === undefined || (inTurn === undefined && Number.isFinite(windowOf(context)));
  return isMeasured && sinceMoment(context, since) >= RECOVERY_NOTED_MS;
}

/** How long it goes ahead of the queue: for all of it where recoveries are not budgeted (BU8). */
function windowOf({ ledger }: CommitContext): number {
  const rules = recoveryRules(ledger.objects);
  return rules === undefined
    ? Number.POSITIVE_INFINITY
    : (rules.fairnessWindowMs ?? FAIRNESS_WINDOW_MS);
}

function ended(context: CommitContext, under: Recovering, withinMs: number): Recovered {
  const { beganMs, lost } = under;
  const spentMs = spentBy(context, under);
  const tookMs = spentInAll(spentMs);
  const missed = under.missed ?? (tookMs > withinMs ? slowestStage(spentMs) : undefined);
  return { beganMs, tookMs, lost, spentMs, ...(missed === undefined ? {} : { missed }) };
}

const momentOf = ({ nowMs, ledger }: CommitContext): Recovering["since"] => ({
  atMs: nowMs,
  epoch: ledger.epoch,
});

/**
 * A later leadership knows of the present stage what was written and what it saw itself: it counts
 * short, never long.
 */
function spentBy(context: CommitContext, { stage, since, spentMs }: Recovering): SpentMs {
  return { ...spentMs, [stage]: (spentMs[stage] ?? 0) + sinceMoment(context, since) };
}
