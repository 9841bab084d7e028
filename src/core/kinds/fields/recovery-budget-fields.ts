/**
 * How much may be spent on recoveries, where and for whom: in a budget, and in what a policy
 * revision grants.
 */
import {
  RECOVERY_BUDGET_LIST_MOST,
  RECOVERY_BUDGET_TTL_MS,
  type RecoveryBudgetTerms,
  FAIRNESS_BOUNDS_MS,
  FAIRNESS_WINDOW_MS,
  type RecoveryRules,
} from "../../model/recovery-budget.ts";
import { POLICY_LIST_MOST } from "../../model/policy.ts";
import {
  amounts,
  duration,
  type FieldsOf,
  list,
  name,
  object,
  optional,
  usually,
} from "./field.ts";

const names = (about: string, each: string) =>
  optional(
    list(about, name(each), { least: 1, most: RECOVERY_BUDGET_LIST_MOST, repeated: "merged" }),
  );

const AMOUNTS = {
  cpu: "CPUs, such as 8 or 500m.",
  memory: "Memory, such as 16Gi.",
  devices: "Devices of all classes together. Default: none.",
} as const;

export const RECOVERY_BUDGET_FIELDS: FieldsOf<RecoveryBudgetTerms> = {
  region: name("The region where it applies.", "Region"),
  amounts: amounts("", { ...AMOUNTS, isInline: true }),
  tenants: names("The tenants that may use it. Default: all tenants.", "A tenant."),
  classes: names(
    "The priority classes that may use it. Default: all classes, and work without a class.",
    "A priority class.",
  ),
  ttlMs: duration("How long it is in force, from its grant. At most 168h.", RECOVERY_BUDGET_TTL_MS),
};

export const RECOVERY_ABOUT =
  "Limits for recoveries. Only for the policy named default. Default: a recovering workload uses the recovery reserve without a budget.";

export const RECOVERY_FIELDS: FieldsOf<RecoveryRules> = {
  reserve: amounts("The maximum for all recovery budgets together.", AMOUNTS),
  fairnessWindowMs: usually(
    duration(
      "How long a recovery with a budget goes ahead of the normal queue order.",
      FAIRNESS_BOUNDS_MS,
    ),
    FAIRNESS_WINDOW_MS,
  ),
  grants: optional(
    list(
      "Budgets that the plane grants automatically while a matching workload recovers.",
      object<RecoveryBudgetTerms>("One budget.", RECOVERY_BUDGET_FIELDS),
      { most: POLICY_LIST_MOST },
    ),
  ),
};
