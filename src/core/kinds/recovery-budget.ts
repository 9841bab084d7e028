/** RecoveryBudget: how much recoveries may use beyond quota, where, for whom and until when. */
import { equalAmounts, NOTHING } from "../model/amounts.ts";
import { SPENT_FINALIZER } from "../model/finalizers.ts";
import type { RecoveryBudget } from "../model/objects.ts";
import type { ObjectIndex } from "../observe/object-index.ts";
import { reject } from "../protocol/rejection.ts";
import { REASON_CHARACTERS } from "../model/override.ts";
import { RECOVERY_BUDGET_FIELDS } from "./fields/recovery-budget-fields.ts";
import { word } from "./fields/field.ts";
import { APPLIED_LAST, type WrittenDefinition } from "./kind-definition.ts";
import { grantsNothing } from "./well-formed/malformed-recovery-budget.ts";

export const recoveryBudgetDefinition: WrittenDefinition<"RecoveryBudget"> = {
  kind: "RecoveryBudget",
  plural: "recoverybudgets",
  // People still type the word alone: no other kind is a budget.
  shortNames: ["rb", "budget", "budgets"],
  formerKind: "Budget",
  scope: "cluster",
  writer: "people",
  deletedBy: "user",
  endsByItself: true,
  isMeasured: true,
  guard: { finalizer: SPENT_FINALIZER, lifter: "expire-budget", from: "deletion" },
  applyStep: APPLIED_LAST,
  about: "A limited amount of the recovery reserve of a region, granted to tenants for a time.",
  spec: {
    about: "The granted amount, its region, tenants and classes, its duration and the reason.",
    fields: { ...RECOVERY_BUDGET_FIELDS, reason: word("Why.", REASON_CHARACTERS) },
    example: {
      name: "eu-west-outage",
      spec: {
        region: "eu-west",
        cpu: 8,
        memory: "16Gi",
        tenants: ["payments"],
        ttl: "30m",
        reason: "room to bring payments back before its quota is free",
      },
    },
  },
  malformed: ({ amounts }, bad) => grantsNothing(amounts, "spec", bad),
  stillUsed: (objects, budget) =>
    isRecoveryBudgetSpent(objects, budget)
      ? reject("budget-in-use", budget.key, "nothing spent of it", "some")
      : undefined,
};

export const isRecoveryBudgetSpent = (objects: ObjectIndex, { meta }: RecoveryBudget): boolean =>
  !equalAmounts(objects.budgets.spent(meta.name), NOTHING);
