/** What a budget, or a grant of one, has to say: where, how much, for whom, for how long (BU1, PY2). */
import { AMOUNT_NAMES, type Amounts, shortage } from "../../model/amounts.ts";
import {
  BUDGET_LIST_MOST,
  BUDGET_TTL_MS,
  type BudgetSpec,
  type BudgetTerms,
  FAIRNESS_BOUNDS_MS,
  FAIRNESS_WINDOW_MS,
  isSameGrant,
  type RecoveryRules,
} from "../../model/budget.ts";
import { REASON_CHARACTERS } from "../../model/override.ts";
import { POLICY_LIST_MOST } from "../../model/policy.ts";
import type { No } from "../../protocol/no.ts";
import { type Bad, isCount, malformedAmounts } from "./malformed-amounts.ts";

/** Names of what need not exist yet: a region may be budgeted before its first node joins. */
const NAME = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;

export function malformedBudget(spec: BudgetSpec, bad: Bad): No | undefined {
  const { reason } = spec;
  if (reason.trim() === "" || reason.length > REASON_CHARACTERS) {
    return bad("spec.reason", `1 to ${REASON_CHARACTERS} characters`, reason.length);
  }
  return malformedTerms(spec, "spec", bad);
}

function malformedTerms(terms: BudgetTerms, field: string, bad: Bad): No | undefined {
  const { region, amounts, tenants, classes, ttlMs } = terms;
  if (!NAME.test(region)) return bad(`${field}.region`, "a name", region || "(none)");
  const { least, most } = BUDGET_TTL_MS;
  if (!isCount(ttlMs) || ttlMs < least || ttlMs > most) {
    return bad(`${field}.ttlMs`, `a whole number from ${least} to ${most}`, ttlMs);
  }
  return (
    malformedAmounts(amounts, `${field}.amounts`, bad) ??
    (isNothing(amounts) ? bad(`${field}.amounts`, "more than nothing", "nothing") : undefined) ??
    malformedNames(tenants, `${field}.tenants`, bad) ??
    malformedNames(classes, `${field}.classes`, bad)
  );
}

const isNothing = (amounts: Amounts): boolean => AMOUNT_NAMES.every((name) => amounts[name] === 0);

/** In their order and each once: of two lists that mean the same there is one way to write them. */
function malformedNames(
  names: readonly string[] | undefined,
  field: string,
  bad: Bad,
): No | undefined {
  if (names === undefined) return undefined;
  if (names.length === 0 || names.length > BUDGET_LIST_MOST) {
    return bad(field, `1 to ${BUDGET_LIST_MOST} names, or left out`, names.length);
  }
  for (const [at, name] of names.entries()) {
    const before = names[at - 1] ?? "";
    if (!NAME.test(name)) return bad(field, "names", name || "(none)");
    if (name <= before) return bad(field, "each once, in their order", name);
  }
  return undefined;
}

export function malformedRecoveryRules(rules: RecoveryRules, bad: Bad): No | undefined {
  const { reserve, fairnessWindowMs = FAIRNESS_WINDOW_MS, grants = [] } = rules;
  const { least, most } = FAIRNESS_BOUNDS_MS;
  if (!isCount(fairnessWindowMs) || fairnessWindowMs < least || fairnessWindowMs > most) {
    const expected = `a whole number from ${least} to ${most}`;
    return bad("spec.recovery.fairnessWindowMs", expected, fairnessWindowMs);
  }
  if (grants.length > POLICY_LIST_MOST) {
    return bad("spec.recovery.grants", `at most ${POLICY_LIST_MOST}`, grants.length);
  }
  const wrong = malformedAmounts(reserve, "spec.recovery.reserve", bad);
  if (wrong !== undefined) return wrong;
  for (const [at, grant] of grants.entries()) {
    const field = `spec.recovery.grants[${at}]`;
    const malformed = malformedTerms(grant, field, bad);
    if (malformed !== undefined) return malformed;
    // It could never be granted, and whoever wrote it would find that out in a recovery.
    const short = shortage(grant.amounts, reserve);
    if (short !== undefined) {
      const expected = `at most the reserve, ${reserve[short]}`;
      return bad(`${field}.amounts.${short}`, expected, grant.amounts[short]);
    }
    if (grants.slice(0, at).some((other) => isSameGrant(other, grant))) {
      return bad(field, "another region, other tenants or other classes", "as one before it");
    }
  }
  return undefined;
}
