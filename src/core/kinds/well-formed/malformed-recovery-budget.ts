/**
 * What the grants of a policy revision rely on, and what a budget does beyond its fields (BU1,
 * PY2).
 */
import { AMOUNT_NAMES, type Amounts, shortage } from "../../model/amounts.ts";
import { isSameGrant, type RecoveryRules } from "../../model/recovery-budget.ts";
import type { Rejection } from "../../protocol/rejection.ts";
import type { Bad } from "./malformed-amounts.ts";

export const grantsNothing = (amounts: Amounts, field: string, bad: Bad): Rejection | undefined =>
  AMOUNT_NAMES.every((name) => amounts[name] === 0)
    ? bad(`${field}.amounts`, "more than nothing", "nothing")
    : undefined;

export function malformedGrants(
  { reserve, grants = [] }: RecoveryRules,
  bad: Bad,
): Rejection | undefined {
  for (const [at, grant] of grants.entries()) {
    const field = `spec.recovery.grants[${at}]`;
    const nothing = grantsNothing(grant.amounts, field, bad);
    if (nothing !== undefined) return nothing;
    // It could never be granted, and its author would find that out in a recovery.
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
