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
import { recoveryBudgetKey, recoveryBudgetText, isClosed } from "../model/recovery-budget.ts";
import type { ObjectKey } from "../model/ids.ts";
import type { RecoveryBudget } from "../model/objects.ts";
import { RECOVERY_BUDGETS_FACT } from "../observe/facts.ts";
import type { View } from "../observe/view.ts";
import { expireRecoveryBudgetOperation } from "../protocol/operations.ts";
import { EndsSeen } from "./ends-seen.ts";

/** Wake-ups come from facts; this is for the ones that were lost on the way. */
const PATIENCE_MS = 15_000;

export function createExpireBudget(): Controller {
  const ends = new EndsSeen();
  return {
    role: "expire-budget",
    interest: { kinds: new Set(["RecoveryBudget", "Replica"]), node: undefined, paidOnly: true },
    keysFor,
    allKeys: (view) => view.objects.all("RecoveryBudget").keys(),
    reconcile: (key, view, look) => expireBudget(key, view, look, ends),
  };
}

/** Hardly any replica names one. */
function keysFor({ key, before, after }: Change): readonly ObjectKey[] {
  const some = after ?? before;
  if (some?.kind === "RecoveryBudget") return [key];
  if (before?.kind !== "Replica" || before.status.budget === undefined) return [];
  return [recoveryBudgetKey(before.status.budget)];
}

function expireBudget(key: ObjectKey, view: View, look: Look, ends: EndsSeen): Decision {
  const budget = view.objects.all("RecoveryBudget").get(key);
  if (budget === undefined) {
    ends.forget(key);
    return settled;
  }
  if (isClosed(budget)) return letGo(budget, view, look);
  const dueMs = ends.dueMs(budget, look.now);
  if (look.now >= dueMs) {
    ends.asked(budget, look.now);
    return release(budget, "over", `${recoveryBudgetText(budget)} has expired`);
  }
  return wait({
    reason: "recovery-budget",
    wakes: [],
    deadlineMs: dueMs,
    because: { summary: `${recoveryBudgetText(budget)} is in force: ${budget.spec.reason}` },
  });
}

/** What else holds it is somebody else's finalizer, and no concern of ours. */
function letGo(budget: RecoveryBudget, { objects }: View, look: Look): Decision {
  const { name, finalizers } = budget.meta;
  if (!finalizers.includes(SPENT_FINALIZER)) return settled;
  if (equalAmounts(objects.budgets.spent(name), NOTHING)) {
    return release(budget, "gone", `nothing is spent from ${recoveryBudgetText(budget)} any more`);
  }
  return wait({
    reason: "recovery-budget",
    wakes: [RECOVERY_BUDGETS_FACT],
    deadlineMs: look.now + PATIENCE_MS,
    because: {
      summary: `${recoveryBudgetText(budget)} has expired, and some of it is still spent`,
    },
  });
}

function release(budget: RecoveryBudget, step: "over" | "gone", summary: string): Decision {
  const { key, meta, status } = budget;
  const evidence = { kind: "budget-over", budget: key, untilMs: status.untilMs } as const;
  const operation = expireRecoveryBudgetOperation(budget, step);
  return propose([{ kind: "expire", operation, key, incarnation: meta.generation, evidence }], {
    summary,
  });
}
