/** Budget: how much recoveries may use beyond quota, where, for whom and until when. */
import { equalAmounts, NOTHING } from "../model/amounts.ts";
import { SPENT_FINALIZER } from "../model/finalizers.ts";
import type { Budget } from "../model/objects.ts";
import type { ObjectIndex } from "../observe/object-index.ts";
import { no } from "../protocol/no.ts";
import { APPLIED_LAST, type WrittenDefinition } from "./kind-definition.ts";
import { malformedBudget } from "./well-formed/malformed-budget.ts";

export const budgetDefinition: WrittenDefinition<"Budget"> = {
  kind: "Budget",
  plural: "budgets",
  shortNames: [],
  scope: "cluster",
  writer: "people",
  deletedBy: "user",
  isMeasured: true,
  guard: { finalizer: SPENT_FINALIZER, lifter: "expire-budget", from: "deletion" },
  applyStep: APPLIED_LAST,
  malformed: malformedBudget,
  stillUsed: (objects, budget) =>
    isBudgetSpent(objects, budget)
      ? no("budget-in-use", budget.key, "nothing spent of it", "some")
      : undefined,
};

export const isBudgetSpent = (objects: ObjectIndex, { meta }: Budget): boolean =>
  !equalAmounts(objects.budgets.spent(meta.name), NOTHING);
