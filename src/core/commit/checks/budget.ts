/**
 * Who grants what for recoveries, and how long it is in force. All budgets together keep within the reserve (BU2); one is
 * made as a person or a grant of the policy says (BU1, BU3), and goes when it is over and nothing is spent of it (BU7).
 */
import { equalAmounts } from "../../model/amounts.ts";
import {
  budgetKey,
  type BudgetSpec,
  type BudgetStatus,
  budgetText,
  type BudgetTerms,
  coversWorkload,
  isBudgetInForce,
  isClosed,
  isSameGrant,
} from "../../model/budget.ts";
import { isBudgetSpent } from "../../kinds/budget.ts";
import { type ObjectKey, policyKey } from "../../model/ids.ts";
import type { Budget, Override, Policy } from "../../model/objects.ts";
import type { OverrideSpec } from "../../model/override.ts";
import { DEFAULT_POLICY } from "../../model/policy.ts";
import { isRecovering } from "../../model/recovery.ts";
import {
  recoveryRules,
  reserveNow,
  type ReserveNow,
  reserveOverrun,
} from "../../rules/recovery/budgets-now.ts";
import type { IntentOf, PutOf } from "../../protocol/command.ts";
import type { Change } from "../../protocol/commit-record.ts";
import { type Bench, changed, removed, touched, type Verdict } from "../verdict.ts";
import { no, type No } from "../../protocol/no.ts";
import { SPENT_FINALIZER } from "../../model/finalizers.ts";
import { sameValue } from "../validate/same-value.ts";

type Put = PutOf<"Budget">;

/** Why this sender may not put this budget. */
export function budgetUnfit(bench: Bench, held: Budget | undefined, put: Put): No | undefined {
  const { key, desired } = put;
  if (held === undefined) {
    const notDue = bench.role === "user" ? undefined : grantNotDue(bench, put, desired.spec);
    return notDue ?? beyondReserve(bench, key, withBudget(bench, put, desired.spec));
  }
  // A withdrawn budget needs no owner: each finalizer is taken off by its controller.
  if (isClosed(held)) return undefined;
  const another = budgetOwnedByAnother(bench, held);
  if (another !== undefined) return another;
  if (!isSameBudget(held.spec, desired.spec)) {
    return no("budget-fixed", key, "the same region, amounts, tenants and classes", "others");
  }
  return sameValue(held.spec, desired.spec) ? undefined : endPassed(bench, held, desired.spec);
}

/** People were told of it, and bindings name it (BU1). */
const isSameBudget = (was: BudgetTerms, is: BudgetTerms): boolean =>
  isSameGrant(was, is) && equalAmounts(was.amounts, is.amounts);

/** One whose time has passed is not brought back, and none is made to have ended before now. */
function endPassed({ nowMs }: Bench, budget: Budget, { ttlMs }: BudgetSpec): No | undefined {
  const { key, status } = budget;
  if (!isBudgetInForce(budget, nowMs)) {
    return no("budget-over", key, "one that is in force", `over since ${status.untilMs}`);
  }
  const untilMs = status.sinceMs + ttlMs;
  return nowMs < untilMs
    ? undefined
    : no("budget-over", key, "an end that is to come", `${nowMs - untilMs} ms ago`);
}

/** What the policy grants is its own: no user changes it, and its controller never does. */
function budgetOwnedByAnother({ role, actorName }: Bench, { key, status }: Budget): No | undefined {
  const { owner, grant } = status;
  return role === "user" && grant === undefined && actorName === owner
    ? undefined
    : no("budget-owned", key, owner, actorName);
}

/** Its owner withdraws it, and anybody one of the policy's: a machine that grants too much must be stopped by people. */
export function mayNotWithdraw(bench: Bench, budget: Budget): No | undefined {
  if (bench.role !== "user") return no("not-owner", budget.key, "user", bench.role);
  return budget.status.grant === undefined ? budgetOwnedByAnother(bench, budget) : undefined;
}

/** Which grant of the revision in force it is made by, as of its place among them. */
function grantIndex({ ledger }: Bench, spec: BudgetSpec): number {
  const grants = recoveryRules(ledger.objects)?.grants ?? [];
  const { reason: _, ...terms } = spec;
  return grants.findIndex((grant) => sameValue(grant, terms));
}

function grantNotDue(bench: Bench, { key }: Put, spec: BudgetSpec): No | undefined {
  if (bench.role !== "grant-budget") return no("not-owner", key, "user", bench.role);
  const { objects } = bench.ledger;
  const notDue = (expected: string, actual: string): No =>
    no("grant-not-due", key, expected, actual);
  if (grantIndex(bench, spec) < 0) return notDue("a grant of the revision in force", "none");
  if (grantNumber(bench, key, spec) === undefined) {
    return notDue(`${spec.region}-N, N above ${grantedSoFar(bench)}`, key);
  }
  const other = [...objects.all("Budget").values()].find(
    (budget) =>
      budget.status.grant !== undefined &&
      isSameGrant(budget.spec, spec) &&
      isBudgetInForce(budget, bench.nowMs),
  );
  if (other !== undefined) return notDue("none of this grant in force", budgetText(other));
  for (const workload of objects.all("Workload").values()) {
    if (isRecovering(workload) && coversWorkload(spec, workload)) return undefined;
  }
  return notDue("a workload in recovery", "none that it is for");
}

const defaultPolicy = ({ ledger }: Bench): Policy | undefined =>
  ledger.objects.all("Policy").get(policyKey(DEFAULT_POLICY));

const grantedSoFar = (bench: Bench): number => defaultPolicy(bench)?.status.granted ?? 0;

/** The number in its name, if the name is as that of a grant is to be. */
function grantNumber(bench: Bench, key: string, { region }: BudgetSpec): number | undefined {
  const prefix = budgetKey(`${region}-`);
  const digits = key.startsWith(prefix) ? key.slice(prefix.length) : "";
  const number = /^[1-9][0-9]{0,14}$/.test(digits) ? Number(digits) : 0;
  return number > grantedSoFar(bench) ? number : undefined;
}

/** The policy remembers the number, so that no name is given twice. */
export function grantsCounted(bench: Bench, { key, desired }: IntentOf<"put">): readonly Change[] {
  const policy = defaultPolicy(bench);
  if (bench.role !== "grant-budget" || desired.kind !== "Budget" || policy === undefined) return [];
  const granted = grantNumber(bench, key, desired.spec) ?? grantedSoFar(bench);
  const after: Policy = {
    ...policy,
    meta: touched(policy.meta, bench.next),
    status: { ...policy.status, granted },
  };
  return [changed(policy, after)];
}

function withBudget({ ledger, next }: Bench, { key }: Put, spec: BudgetSpec): ReserveNow {
  const now = reserveNow(ledger.objects);
  const name = key.slice(budgetKey("").length);
  const meta = { name, revision: next, deletingMs: undefined } as Budget["meta"];
  const made = { kind: "Budget", key, meta, spec } as Budget;
  return { ...now, budgets: [...now.budgets, made] };
}

/** Whether an override that is to be made raises more than the reserve has (BU9). */
export function raiseBeyondReserve(
  bench: Bench,
  key: ObjectKey,
  spec: OverrideSpec,
): No | undefined {
  if (spec.action !== "raise-budget" || spec.target.region === undefined) return undefined;
  const now = reserveNow(bench.ledger.objects);
  const overrides = [...now.overrides, { kind: "Override", key, spec } as Override];
  return beyondReserve(bench, key, { ...now, overrides });
}

function beyondReserve({ ledger }: Bench, key: string, next: ReserveNow): No | undefined {
  const overrun = reserveOverrun(ledger.objects, next);
  if (overrun === undefined) return undefined;
  const { amount, sum, reserve } = overrun;
  const expected =
    reserve === undefined ? "a reserve in the policy in force" : `at most ${reserve}`;
  return no("budget-reserve", `${key} ${amount}`, expected, sum);
}

export function firstBudgetStatus(bench: Bench, spec: BudgetSpec): BudgetStatus {
  const { nowMs, actorName, role } = bench;
  const first = { owner: actorName, sinceMs: nowMs, untilMs: nowMs + spec.ttlMs, extensions: 0 };
  if (role !== "grant-budget") return first;
  const policyRevision = defaultPolicy(bench)?.spec.active ?? "";
  return { ...first, grant: { policyRevision, index: grantIndex(bench, spec) } };
}

/** Counted from when it was made, so the same wish put twice is the same end. */
export function budgetStatusAfter({ status }: Budget, { ttlMs }: BudgetSpec): BudgetStatus {
  const untilMs = status.sinceMs + ttlMs;
  if (untilMs === status.untilMs) return status;
  const extensions = status.extensions + (untilMs > status.untilMs ? 1 : 0);
  return { ...status, untilMs, extensions };
}

/** Expiry: first it is marked as over, and then, with the last binding, it goes. */
export function releaseBudget(
  bench: Bench,
  budget: Budget,
  { evidence, life }: IntentOf<"release">,
): Verdict {
  const { key, meta, status } = budget;
  if (bench.role !== "expire-budget") return no("not-owner", key, "expire-budget", bench.role);
  if (evidence.kind !== "budget-over") {
    return no("evidence-missing", key, "budget-over", evidence.kind);
  }
  if (life !== meta.generation) return no("generation-changed", key, life, meta.generation);
  if (evidence.budget !== key || evidence.untilMs !== status.untilMs) {
    return no("evidence-wrong", key, status.untilMs, evidence.untilMs);
  }
  if (isBudgetInForce(budget, bench.nowMs)) {
    const leftMs = status.untilMs - bench.nowMs;
    return no("budget-not-over", key, "its end", `${leftMs} ms left`);
  }
  return isClosed(budget) ? letGo(bench, budget) : close(bench, budget);
}

const isSpentOf = ({ ledger }: Bench, budget: Budget): boolean =>
  isBudgetSpent(ledger.objects, budget);

function close(bench: Bench, budget: Budget): Verdict {
  if (!isSpentOf(bench, budget)) return [removed(budget)];
  const { meta } = budget;
  const finalizers = [SPENT_FINALIZER, ...meta.finalizers];
  const closed = { ...touched(meta, bench.next), finalizers, deletingMs: bench.nowMs };
  return [changed(budget, { ...budget, meta: closed })];
}

function letGo(bench: Bench, budget: Budget): Verdict {
  const { key, meta } = budget;
  const others = meta.finalizers.filter((name) => name !== SPENT_FINALIZER);
  if (isSpentOf(bench, budget) || others.length === meta.finalizers.length) {
    return no("budget-in-use", key, "nothing spent of it", others.join(", ") || "some");
  }
  if (others.length === 0) return [removed(budget)];
  return [
    changed(budget, { ...budget, meta: { ...touched(meta, bench.next), finalizers: others } }),
  ];
}
