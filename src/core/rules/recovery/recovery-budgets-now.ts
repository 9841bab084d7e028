/**
 * What recovery budgets come to at this moment: whether recoveries are budgeted, what a budget has
 * left, and what all of them hold of the reserve. The authority asks it of the truth, controllers
 * of their view.
 */
import {
  type AmountName,
  AMOUNT_NAMES,
  type Amounts,
  minus,
  NOTHING,
  plus,
} from "../../model/amounts.ts";
import {
  isClosed,
  raisedAmounts,
  raisesRegion,
  type RecoveryRules,
} from "../../model/recovery-budget.ts";
import type { RecoveryBudget, Override } from "../../model/objects.ts";
import { overridesInForce } from "../override/overrides-in-force.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";
import { defaultRules } from "../../observe/policy-in-force.ts";

const NONE: readonly RecoveryBudget[] = [];

/** Undefined: recoveries are not budgeted, as on most planes. */
export const recoveryRules = (objects: ObjectIndex): RecoveryRules | undefined =>
  objects.all("Policy").size === 0 ? undefined : defaultRules(objects).recovery;

/** In the order of their names: of several that would do, all components take the same one. */
export function allRecoveryBudgets(objects: ObjectIndex): readonly RecoveryBudget[] {
  const all = objects.all("RecoveryBudget");
  return all.size === 0 ? NONE : [...all.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

/**
 * What it grants as people have raised it; only the authority has a clock that tells whether they
 * still do (BU9).
 */
export function grantedNow(
  objects: ObjectIndex,
  { spec }: RecoveryBudget,
  nowMs?: number,
): Amounts {
  return raisedAmounts(spec.amounts, percentOf(overridesInForce(objects, nowMs), spec.region));
}

const percentOf = (overrides: readonly Override[], region: string): number =>
  overrides.reduce((sum, override) => sum + raisesRegion(override, region), 0);

/** Below nothing where more was spent than it grants now. */
export const leftNow = (objects: ObjectIndex, budget: RecoveryBudget, nowMs?: number): Amounts =>
  minus(grantedNow(objects, budget, nowMs), objects.budgets.spent(budget.meta.name));

export interface ReserveNow {
  /** What one budget keeps of the reserve, e.g. of those that are to be made. */
  readonly budgets: readonly RecoveryBudget[];
  readonly overrides: readonly Override[];
}

/**
 * What all budgets hold of the reserve (BU2). It moves with commits alone: a budget holds what it
 * grants until it was said to be over, and an override raises it until it is gone. What time has
 * ended meanwhile is counted too much, never too little.
 */
export function heldOfReserve(
  objects: ObjectIndex,
  { budgets, overrides }: ReserveNow = reserveNow(objects),
): Amounts {
  let held = NOTHING;
  for (const budget of budgets) {
    const { meta, spec } = budget;
    const spent = objects.budgets.spent(meta.name);
    const raised = raisedAmounts(spec.amounts, percentOf(overrides, spec.region));
    held = plus(held, isClosed(budget) ? spent : larger(raised, spent));
  }
  return held;
}

export const reserveNow = (objects: ObjectIndex): ReserveNow => ({
  budgets: allRecoveryBudgets(objects),
  overrides: overridesInForce(objects),
});

export interface Overrun {
  readonly amount: AmountName;
  readonly sum: number;
  /** Undefined: the policy in force has no reserve. */
  readonly reserve: number | undefined;
}

/**
 * The first amount of which all budgets would come to more than before, and to more than the
 * reserve.
 */
export function reserveOverrun(objects: ObjectIndex, next: ReserveNow): Overrun | undefined {
  const before = heldOfReserve(objects);
  const after = heldOfReserve(objects, next);
  const reserve = recoveryRules(objects)?.reserve;
  const amount = AMOUNT_NAMES.find(
    (name) => after[name] > before[name] && after[name] > (reserve?.[name] ?? 0),
  );
  return amount && { amount, sum: after[amount], reserve: reserve?.[amount] };
}

const larger = (a: Amounts, b: Amounts): Amounts => ({
  cpuMillis: Math.max(a.cpuMillis, b.cpuMillis),
  memoryMiB: Math.max(a.memoryMiB, b.memoryMiB),
  deviceMillis: Math.max(a.deviceMillis, b.deviceMillis),
});
