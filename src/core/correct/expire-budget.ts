/**
 * Says that recovery budgets are over, and lets them go once nothing is spent of them (BU7). After
 * its end nothing is bound on a budget; but controllers have no clock to compare with the
 * authority's (CL1), and would name it until they are told. Observes budgets and the replicas that
 * name one; proposes `release` with the time as evidence. Whether it is over is the authority's
 * check.
 */
import type { Change } from "../protocol/commit-record.ts";
import { SPENT_FINALIZER } from "../model/finalizers.ts";
import type { Controller } from "../runner/controller.ts";
import { type Decision, type Look, propose, settled, wait } from "../protocol/decision.ts";
import { equalAmounts, NOTHING } from "../model/amounts.ts";
import { budgetKey, budgetText, isClosed } from "../model/budget.ts";
import type { ObjectKey } from "../model/ids.ts";
import type { Budget } from "../model/objects.ts";
import { BUDGETS_FACT } from "../observe/facts.ts";
import type { View } from "../observe/view.ts";
import { expireBudgetOperation } from "../protocol/operations.ts";
import { EndsSeen } from "./ends-seen.ts";

/** Wake-ups come from facts; this is for the ones that were lost on the way. */
const PATIENCE_MS = 15_000;

export function createExpireBudget(): Controller {
  const ends = new EndsSeen();
  return {
    role: "expire-budget",
    interest: { kinds: new Set(["Budget", "Replica"]), node: undefined, paidOnly: true },
    keysFor,
    allKeys: (view) => view.objects.all("Budget").keys(),
    reconcile: (key, view, look) => expireBudget(key, view, look, ends),
  };
}

/** Hardly any replica names one. */
function keysFor({ key, before, after }: Change): readonly ObjectKey[] {
  const some = after ?? before;
  if (some?.kind === "Budget") return [key];
  if (before?.kind !== "Replica" || before.status.budget === undefined) return [];
  return [budgetKey(before.status.budget)];
}

function expireBudget(key: ObjectKey, view: View, look: Look, ends: EndsSeen): Decision {
  const budget = view.objects.all("Budget").get(key);
  if (budget === undefined) {
    ends.forget(key);
    return settled;
  }
  if (isClosed(budget)) return letGo(budget, view, look);
  const dueMs = ends.dueMs(budget, look.now);
  if (look.now >= dueMs) {
    ends.asked(budget, look.now);
    return release(budget, "over", `${budgetText(budget)} has expired`);
  }
  return wait({
    reason: "recovery-budget",
    wakes: [],
    deadlineMs: dueMs,
    because: { summary: `${budgetText(budget)} is in force: ${budget.spec.reason}` },
  });
}

/** What else holds it is somebody else's finalizer, and no concern of ours. */
function letGo(budget: Budget, { objects }: View, look: Look): Decision {
  const { name, finalizers } = budget.meta;
  if (!finalizers.includes(SPENT_FINALIZER)) return settled;
  if (equalAmounts(objects.budgets.spent(name), NOTHING)) {
    return release(budget, "gone", `nothing is spent from ${budgetText(budget)} any more`);
  }
  return wait({
    reason: "recovery-budget",
    wakes: [BUDGETS_FACT],
    deadlineMs: look.now + PATIENCE_MS,
    because: { summary: `${budgetText(budget)} has expired, and some of it is still spent` },
  });
}

function release(budget: Budget, step: "over" | "gone", summary: string): Decision {
  const { key, meta, status } = budget;
  const evidence = { kind: "budget-over", budget: key, untilMs: status.untilMs } as const;
  const operation = expireBudgetOperation(budget, step);
  return propose([{ kind: "release", operation, key, incarnation: meta.generation, evidence }], {
    summary,
  });
}
