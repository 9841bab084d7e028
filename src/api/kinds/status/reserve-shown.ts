/**
 * What the reserve of the policy in force has, and who holds how much of it, as `GET
 * /recovery-reserve` answers it.
 */
import { type Amounts, AMOUNT_NAMES, minus, NOTHING, plus } from "../../../core/model/amounts.ts";
import { FAIRNESS_WINDOW_MS, isClosed } from "../../../core/model/recovery-budget.ts";
import type { RecoveryBudget } from "../../../core/model/objects.ts";
import { DEFAULT_POLICY } from "../../../core/model/policy.ts";
import {
  allRecoveryBudgets,
  heldOfReserve,
  recoveryRules,
  reserveNow,
} from "../../../core/rules/recovery/recovery-budgets-now.ts";
import type { ObjectIndex } from "../../../core/observe/object-index.ts";
import { revisionInForce } from "../../../core/observe/policy-in-force.ts";
import { formatDuration } from "../../../quantity/duration.ts";
import { rfc3339Millis } from "../../rfc3339.ts";
import { writeAmounts } from "../text/amounts-text.ts";

export function reserveShown(objects: ObjectIndex) {
  const rules = recoveryRules(objects);
  const budgets = allRecoveryBudgets(objects);
  const reserve = rules?.reserve ?? NOTHING;
  const granted = heldOfReserve(objects);
  const spent = budgets.reduce(
    (sum, { meta }) => plus(sum, objects.budgets.spent(meta.name)),
    NOTHING,
  );
  const revision = revisionInForce(objects, { policy: DEFAULT_POLICY }, undefined);
  return {
    isBudgeted: rules !== undefined,
    ...(revision === undefined ? {} : { policyRevision: revision }),
    ...(rules === undefined
      ? {}
      : { fairnessWindow: formatDuration(rules.fairnessWindowMs ?? FAIRNESS_WINDOW_MS) }),
    reserve: writeAmounts(reserve),
    granted: writeAmounts(granted),
    spent: writeAmounts(spent),
    free: writeAmounts(atLeastNothing(minus(reserve, granted))),
    isExceeded: AMOUNT_NAMES.some((name) => granted[name] > reserve[name]),
    budgets: budgets.map((budget) => writeHolding(budget, objects)),
  };
}

function writeHolding(budget: RecoveryBudget, objects: ObjectIndex) {
  const { meta, spec, status } = budget;
  const holds = heldOfReserve(objects, { ...reserveNow(objects), budgets: [budget] });
  return {
    name: meta.name,
    region: spec.region,
    owner: status.owner,
    holds: writeAmounts(holds),
    spent: writeAmounts(objects.budgets.spent(meta.name)),
    until: rfc3339Millis(status.untilMs),
    isOver: isClosed(budget),
  };
}

/** The rest of an overspent amount is nothing. */
export const atLeastNothing = (amounts: Amounts): Amounts => ({
  cpuMillis: Math.max(0, amounts.cpuMillis),
  memoryMiB: Math.max(0, amounts.memoryMiB),
  deviceMillis: Math.max(0, amounts.deviceMillis),
});
