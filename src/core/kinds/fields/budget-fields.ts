/** How much may be spent on recoveries, where and for whom: in a budget, and in what a policy revision grants. */
import {
  BUDGET_LIST_MOST,
  BUDGET_TTL_MS,
  type BudgetTerms,
  FAIRNESS_BOUNDS_MS,
  FAIRNESS_WINDOW_MS,
  type RecoveryRules,
} from "../../model/budget.ts";
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
  optional(list(about, name(each), { least: 1, most: BUDGET_LIST_MOST, repeated: "merged" }));

const AMOUNTS = {
  cpu: "CPUs, such as 8 or 500m.",
  memory: "Memory, such as 16Gi.",
  devices: "Devices of all classes together. Left out: none.",
} as const;

export const BUDGET_FIELDS: FieldsOf<BudgetTerms> = {
  region: name("The region in which it is spent.", "Region"),
  amounts: amounts("", { ...AMOUNTS, isInline: true }),
  tenants: names("Whose work it is for. Left out: everybody's.", "A tenant."),
  classes: names(
    "Of which priority classes. Left out: of all, and work without one.",
    "A priority class.",
  ),
  ttlMs: duration(
    "How long it is in force, from when it was granted. At most 168h.",
    BUDGET_TTL_MS,
  ),
};

export const RECOVERY_ABOUT =
  "How recoveries are budgeted. Of default alone. Left out: whoever recovers takes the room that is kept for it.";

export const RECOVERY_FIELDS: FieldsOf<RecoveryRules> = {
  reserve: amounts("All budgets together never grow beyond it.", AMOUNTS),
  fairnessWindowMs: usually(
    duration(
      "For how long a recovery with a budget goes before everybody else's turn.",
      FAIRNESS_BOUNDS_MS,
    ),
    FAIRNESS_WINDOW_MS,
  ),
  grants: optional(
    list(
      "Budgets that are granted by themselves while a workload recovers that they are for.",
      object<BudgetTerms>("One budget.", BUDGET_FIELDS),
      { most: POLICY_LIST_MOST },
    ),
  ),
};
