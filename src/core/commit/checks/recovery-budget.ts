/**
 * Who grants what for recoveries, and how long it is in force. All budgets together keep within the
 * reserve (BU2); one is made as a person or a grant of the policy says (BU1, BU3), and goes when it
 * is over and nothing is spent of it (BU7).
 */
import { equalAmounts } from "../../model/amounts.ts";
import {
  recoveryBudgetKey,
  type RecoveryBudgetSpec,
  type RecoveryBudgetStatus,
  recoveryBudgetText,
  type RecoveryBudgetTerms,
  coversWorkload,
  isRecoveryBudgetInForce,
  isClosed,
  isSameGrant,
} from "../../model/recovery-budget.ts";
import { isRecoveryBudgetSpent } from "../../kinds/recovery-budget.ts";
import { type ObjectKey, policyKey } from "../../model/ids.ts";
import type { RecoveryBudget, Override, Policy } from "../../model/objects.ts";
import type { OverrideSpec } from "../../model/override.ts";
import { DEFAULT_POLICY } from "../../model/policy.ts";
import { isRecovering } from "../../model/recovery.ts";
import {
  recoveryRules,
  reserveNow,
  type ReserveNow,
  reserveOverrun,
} from "../../rules/recovery/recovery-budgets-now.ts";
import type { IntentOf, PutOf } from "../../protocol/command.ts";
import type { Change } from "../../protocol/commit-record.ts";
import { type CommitContext, changed, removed, touched, type Verdict } from "../verdict.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";
import { SPENT_FINALIZER } from "../../model/finalizers.ts";
import { sameValue } from "../validate/same-value.ts";

type Put = PutOf<"RecoveryBudget">;

/** Why this sender may not put this budget. */
export function recoveryBudgetUnfit(
  context: CommitContext,
  held: RecoveryBudget | undefined,
  put: Put,
): Rejection | undefined {
  const { key, desired } = put;
  if (held === undefined) {
    const notDue = context.role === "user" ? undefined : grantNotDue(context, put, desired.spec);
    return notDue ?? beyondReserve(context, key, withBudget(context, put, desired.spec));
  }
  // A withdrawn budget needs no owner: each finalizer is taken off by its controller.
  if (isClosed(held)) return undefined;
  const another = recoveryBudgetOwnedByAnother(context, held);
  if (another !== undefined) return another;
  if (!isSameBudget(held.spec, desired.spec)) {
    return reject("budget-fixed", key, "the same region, amounts, tenants and classes", "others");
  }
  return sameValue(held.spec, desired.spec) ? undefined : endPassed(context, held, desired.spec);
}

/** People were told of it, and bindings name it (BU1). */
const isSameBudget = (was: RecoveryBudgetTerms, is: RecoveryBudgetTerms): boolean =>
  isSameGrant(was, is) && equalAmounts(was.amounts, is.amounts);

/** One whose time has passed is not brought back, and none is made to have ended before now. */
function endPassed(
  { nowMs }: CommitContext,
  budget: RecoveryBudget,
  { ttlMs }: RecoveryBudgetSpec,
): Rejection | undefined {
  const { key, status } = budget;
  if (!isRecoveryBudgetInForce(budget, nowMs)) {
    return reject("budget-over", key, "one that is in force", `over since ${status.untilMs}`);
  }
  const untilMs = status.sinceMs + ttlMs;
  return nowMs < untilMs
    ? undefined
    : reject("budget-over", key, "an end that is to come", `${nowMs - untilMs} ms ago`);
}

/** What the policy grants is its own: no user changes it, and its controller never does. */
function recoveryBudgetOwnedByAnother(
  { role, actorName }: CommitContext,
  { key, status }: RecoveryBudget,
): Rejection | undefined {
  const { owner, grant } = status;
  return role === "user" && grant === undefined && actorName === owner
    ? undefined
    : reject("budget-owned", key, owner, actorName);
}

/**
 * Its owner withdraws it, and anybody one of the policy's: a machine that grants too much must be
 * stopped by people.
 */
export function mayNotWithdraw(
  context: CommitContext,
  budget: RecoveryBudget,
): Rejection | undefined {
  if (context.role !== "user") return reject("not-owner", budget.key, "user", context.role);
  return budget.status.grant === undefined
    ? recoveryBudgetOwnedByAnother(context, budget)
    : undefined;
}

/** Which grant of the revision in force it is made by, as of its place among them. */
function grantIndex({ ledger }: CommitContext, spec: RecoveryBudgetSpec): number {
  const grants = recoveryRules(ledger.objects)?.grants ?? [];
  const { reason: _, ...terms } = spec;
  return grants.findIndex((grant) => sameValue(grant, terms));
}

function grantNotDue(
  context: CommitContext,
  { key }: Put,
  spec: RecoveryBudgetSpec,
): Rejection | undefined {
  if (context.role !== "grant-budget") return reject("not-owner", key, "user", context.role);
  const { objects } = context.ledger;
  const notDue = (expected: string, actual: string): Rejection =>
    reject("grant-not-due", key, expected, actual);
  if (grantIndex(context, spec) < 0) return notDue("a grant of the revision in force", "none");
  if (grantNumber(context, key, spec) === undefined) {
    return notDue(`${spec.region}-N, N above ${grantedSoFar(context)}`, key);
  }
  const other = [...objects.all("RecoveryBudget").values()].find(
    (budget) =>
      budget.status.grant !== undefined &&
      isSameGrant(budget.spec, spec) &&
      isRecoveryBudgetInForce(budget, context.nowMs),
  );
  if (other !== undefined) return notDue("none of this grant in force", recoveryBudgetText(other));
  for (const workload of objects.all("Workload").values()) {
    if (isRecovering(workload) && coversWorkload(spec, workload)) return undefined;
  }
  return notDue("a workload in recovery", "none that it is for");
}

const defaultPolicy = ({ ledger }: CommitContext): Policy | undefined =>
  ledger.objects.all("Policy").get(policyKey(DEFAULT_POLICY));

const grantedSoFar = (context: CommitContext): number =>
  defaultPolicy(context)?.status.granted ?? 0;

/** The number in its name, if the name is as that of a grant is to be. */
function grantNumber(
  context: CommitContext,
  key: string,
  { region }: RecoveryBudgetSpec,
): number | undefined {
  const prefix = recoveryBudgetKey(`${region}-`);
  const digits = key.startsWith(prefix) ? key.slice(prefix.length) : "";
  const number = /^[1-9][0-9]{0,14}$/.test(digits) ? Number(digits) : 0;
  return number > grantedSoFar(context) ? number : undefined;
}

/** The policy remembers the number, so that no name is given twice. */
export function grantsCounted(
  context: CommitContext,
  { key, desired }: IntentOf<"put">,
): readonly Change[] {
  const policy = defaultPolicy(context);
  if (
    context.role !== "grant-budget" ||
    desired.kind !== "RecoveryBudget" ||
    policy === undefined
  ) {
    return [];
  }
  const granted = grantNumber(context, key, desired.spec) ?? grantedSoFar(context);
  const after: Policy = {
    ...policy,
    meta: touched(policy.meta, context.next),
    status: { ...policy.status, granted },
  };
  return [changed(policy, after)];
}

function withBudget(
  { ledger, next }: CommitContext,
  { key }: Put,
  spec: RecoveryBudgetSpec,
): ReserveNow {
  const now = reserveNow(ledger.objects);
  const name = key.slice(recoveryBudgetKey("").length);
  const meta = { name, revision: next, deletingMs: undefined } as RecoveryBudget["meta"];
  const made = { kind: "RecoveryBudget", key, meta, spec } as RecoveryBudget;
  return { ...now, budgets: [...now.budgets, made] };
}

/** Whether an override that is to be made raises more than the reserve has (BU9). */
export function raiseBeyondReserve(
  context: CommitContext,
  key: ObjectKey,
  spec: OverrideSpec,
): Rejection | undefined {
  if (spec.action !== "raise-budget" || spec.target.region === undefined) return undefined;
  const now = reserveNow(context.ledger.objects);
  const overrides = [...now.overrides, { kind: "Override", key, spec } as Override];
  return beyondReserve(context, key, { ...now, overrides });
}

function beyondReserve(
  { ledger }: CommitContext,
  key: string,
  next: ReserveNow,
): Rejection | undefined {
  const overrun = reserveOverrun(ledger.objects, next);
  if (overrun === undefined) return undefined;
  const { amount, sum, reserve } = overrun;
  const expected =
    reserve === undefined ? "a reserve in the policy in force" : `at most ${reserve}`;
  return reject("budget-reserve", `${key} ${amount}`, expected, sum);
}

export function firstRecoveryBudgetStatus(
  context: CommitContext,
  spec: RecoveryBudgetSpec,
): RecoveryBudgetStatus {
  const { nowMs, actorName, role } = context;
  const first = { owner: actorName, sinceMs: nowMs, untilMs: nowMs + spec.ttlMs, extensions: 0 };
  if (role !== "grant-budget") return first;
  const policyRevision = defaultPolicy(context)?.spec.active ?? "";
  return { ...first, grant: { policyRevision, index: grantIndex(context, spec) } };
}

/** Counted from when it was made, so the same put twice has the same end. */
export function recoveryBudgetStatusAfter(
  { status }: RecoveryBudget,
  { ttlMs }: RecoveryBudgetSpec,
): RecoveryBudgetStatus {
  const untilMs = status.sinceMs + ttlMs;
  if (untilMs === status.untilMs) return status;
  const extensions = status.extensions + (untilMs > status.untilMs ? 1 : 0);
  return { ...status, untilMs, extensions };
}

/** Expiry: first it is marked as over, and then, with the last binding, it goes. */
export function expireRecoveryBudget(
  context: CommitContext,
  budget: RecoveryBudget,
  { evidence, incarnation }: IntentOf<"expire">,
): Verdict {
  const { key, meta, status } = budget;
  if (context.role !== "expire-budget") {
    return reject("not-owner", key, "expire-budget", context.role);
  }
  if (evidence.kind !== "budget-over") {
    return reject("evidence-missing", key, "budget-over", evidence.kind);
  }
  if (incarnation !== meta.generation)
    return reject("generation-changed", key, incarnation, meta.generation);
  if (evidence.budget !== key || evidence.untilMs !== status.untilMs) {
    return reject("evidence-wrong", key, status.untilMs, evidence.untilMs);
  }
  if (isRecoveryBudgetInForce(budget, context.nowMs)) {
    const leftMs = status.untilMs - context.nowMs;
    return reject("budget-not-over", key, "its end", `${leftMs} ms left`);
  }
  return isClosed(budget) ? letGo(context, budget) : close(context, budget);
}

const isSpentOf = ({ ledger }: CommitContext, budget: RecoveryBudget): boolean =>
  isRecoveryBudgetSpent(ledger.objects, budget);

function close(context: CommitContext, budget: RecoveryBudget): Verdict {
  if (!isSpentOf(context, budget)) return [removed(budget)];
  const { meta } = budget;
  const finalizers = [SPENT_FINALIZER, ...meta.finalizers];
  const closed = { ...touched(meta, context.next), finalizers, deletingMs: context.nowMs };
  return [changed(budget, { ...budget, meta: closed })];
}

function letGo(context: CommitContext, budget: RecoveryBudget): Verdict {
  const { key, meta } = budget;
  const others = meta.finalizers.filter((name) => name !== SPENT_FINALIZER);
  if (isSpentOf(context, budget) || others.length === meta.finalizers.length) {
    return reject("budget-in-use", key, "nothing spent of it", others.join(", ") || "some");
  }
  if (others.length === 0) return [removed(budget)];
  return [
    changed(budget, { ...budget, meta: { ...touched(meta, context.next), finalizers: others } }),
  ];
}
