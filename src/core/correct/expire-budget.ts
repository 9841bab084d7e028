/**
 * Says that recovery budgets are over, and lets them go once nothing is spent of them (BU7). After its end nothing is bound
 * on a budget; but controllers have no clock to compare with the authority's (CL1), and would name it until they are told.
 * Observes budgets and the replicas that name one; proposes `release` with the time as evidence. Whether it is over is the
 * authority's judgement.
 */
import type { Change } from "../commit/commit-record.ts";
import { SPENT_FINALIZER } from "../commit/judge/plane-finalizers.ts";
import type { Controller } from "../controller.ts";
import { type Decision, type Look, propose, settled, wait } from "../decision.ts";
import { equalAmounts, NOTHING } from "../model/amounts.ts";
import { budgetKey, budgetText, isClosed } from "../model/budget.ts";
import type { ObjectKey } from "../model/ids.ts";
import type { Budget } from "../model/objects.ts";
import { DRIFT_PARTS_PER_THOUSAND } from "../model/timing.ts";
import { BUDGETS_FACT } from "../observe/facts.ts";
import type { View } from "../observe/view.ts";
import { expireBudgetOperation } from "../operations.ts";

/** Our wall clock may be ahead of the authority's: asked too early, it is asked again, and not all the time. */
const AGAIN_MS = 5_000;

/** Wake-ups come from facts; this is for the ones that were lost on the way. */
const PATIENCE_MS = 15_000;

/** One end of a budget, since when it was seen, and when it was last asked for; on our own clock. */
interface Seen {
  readonly generation: number;
  readonly sinceMs: number;
  /** At most so much is left of it. */
  readonly leftMs: number;
  askedMs: number;
}

export function createExpireBudget(): Controller {
  const seen = new Map<ObjectKey, Seen>();
  return {
    role: "expire-budget",
    interest: { kinds: new Set(["Budget", "Replica"]), node: undefined, paidOnly: true },
    keysFor,
    allKeys: (view) => view.objects.all("Budget").keys(),
    reconcile: (key, view, look) => expireBudget(key, view, look, seen),
  };
}

/** Hardly any replica names one. */
function keysFor({ key, before, after }: Change): readonly ObjectKey[] {
  const some = after ?? before;
  if (some?.kind === "Budget") return [key];
  if (before?.kind !== "Replica" || before.status.budget === undefined) return [];
  return [budgetKey(before.status.budget)];
}

function expireBudget(
  key: ObjectKey,
  view: View,
  look: Look,
  seen: Map<ObjectKey, Seen>,
): Decision {
  const budget = view.objects.all("Budget").get(key);
  if (budget === undefined) {
    seen.delete(key);
    return settled;
  }
  if (isClosed(budget)) return letGo(budget, view, look);
  const known = see(budget, seen, look);
  const dueMs = Math.max(known.askedMs + AGAIN_MS, dueOf(budget, known));
  if (look.now >= dueMs) {
    known.askedMs = look.now;
    return release(budget, "over", `the time of ${budgetText(budget)} is over`);
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
    return release(budget, "gone", `nothing is spent of ${budgetText(budget)} any more`);
  }
  return wait({
    reason: "recovery-budget",
    wakes: [BUDGETS_FACT],
    deadlineMs: look.now + PATIENCE_MS,
    because: { summary: `${budgetText(budget)} has ended, and something is still spent of it` },
  });
}

/** By the wall clock, or by the time it was to last since it was seen: whichever is sooner, and only asking tells. */
function dueOf({ status }: Budget, { sinceMs, leftMs }: Seen): number {
  const countedMs = sinceMs + leftMs + Math.ceil((2 * leftMs * DRIFT_PARTS_PER_THOUSAND) / 1000);
  return Math.min(status.untilMs, countedMs);
}

function see({ key, meta, spec }: Budget, seen: Map<ObjectKey, Seen>, look: Look): Seen {
  const known = seen.get(key);
  if (known?.generation === meta.generation) return known;
  const fresh: Seen = {
    generation: meta.generation,
    sinceMs: look.now,
    leftMs: spec.ttlMs,
    askedMs: Number.NEGATIVE_INFINITY,
  };
  seen.set(key, fresh);
  return fresh;
}

function release(budget: Budget, step: "over" | "gone", summary: string): Decision {
  const { key, meta, status } = budget;
  const evidence = { kind: "budget-over", budget: key, untilMs: status.untilMs } as const;
  const operation = expireBudgetOperation(budget, step);
  return propose([{ kind: "release", operation, key, life: meta.generation, evidence }], {
    summary,
  });
}
