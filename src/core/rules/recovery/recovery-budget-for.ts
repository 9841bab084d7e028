/**
 * The one check of "may this bind spend that budget" (BU5). Schedulers ask it of their view before
 * they name one, the authority of the truth before it commits; they can differ in what they know,
 * never in what they mean.
 */
import { type Amounts, minus, shortage } from "../../model/amounts.ts";
import { coversReplica, isRecoveryBudgetInForce, isClosed } from "../../model/recovery-budget.ts";
import type { ObjectKey } from "../../model/ids.ts";
import type { RecoveryBudget, Replica } from "../../model/objects.ts";
import { workloadOf } from "../../model/workload-of.ts";
import { marksOn, unreachedRecoveryBudget } from "../override/partitioned.ts";
import { allRecoveryBudgets, leftNow } from "./recovery-budgets-now.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";
import { urgentOf } from "../../observe/recovery-now.ts";

/**
 * Binds that count as made already and are not among the objects: of the same command, or on their
 * way.
 */
export interface EarlierBinds {
  /** How many replicas of the workload they give a node. */
  bindsOf(workload: ObjectKey): number;
  /** What they spend of the budget of this name. */
  spentOf(budget: string): Amounts;
}

export interface Spending {
  readonly replica: Replica;
  /** That of the node. */
  readonly region: string;
  readonly earlier: EarlierBinds;
  /** Only the authority has a clock that tells whether a budget, or an override, is over. */
  readonly nowMs?: number;
  /**
   * The time of day without the authority's clock: a guess at what the authority will say of an end
   * (DG4).
   */
  readonly guessMs?: number;
}

export interface RecoveryBudgetObstacle {
  readonly code: "budget-not-for" | "budget-over" | "budget-spent";
  /** What of the budget is in the way. */
  readonly field: string;
  readonly expected: string | number;
  readonly actual: string | number;
}

/**
 * Whether something may be bound on a budget at all: what was lost, as long as it is needed, and
 * nothing more.
 */
export function mayBeBoundOnRecoveryBudget(
  objects: ObjectIndex,
  { replica, earlier }: Pick<Spending, "replica" | "earlier">,
): boolean {
  const key = workloadOf(replica);
  const needed = neededOf(objects, key);
  return needed > 0 && needed > earlier.bindsOf(key);
}

/**
 * Counting walks all replicas of the workload, and one look or one command asks for every one that
 * it binds.
 */
const counted = new WeakMap<ObjectIndex, { key: ObjectKey; version: number; needed: number }>();

function neededOf(objects: ObjectIndex, key: ObjectKey): number {
  const { version } = objects;
  const known = counted.get(objects);
  if (known?.key === key && known.version === version) return known.needed;
  const needed = urgentOf(objects, objects.workload(key));
  counted.set(objects, { key, version, needed });
  return needed;
}

const wrong = (field: string, expected: string, actual: string): RecoveryBudgetObstacle => ({
  code: "budget-not-for",
  field,
  expected,
  actual,
});

/** Why the bind may not spend this budget; undefined: it may. */
export function recoveryBudgetObstacle(
  objects: ObjectIndex,
  budget: RecoveryBudget,
  spending: Spending,
): RecoveryBudgetObstacle | undefined {
  const { replica, region } = spending;
  const { spec } = budget;
  if (spec.region !== region) return wrong("region", spec.region, region);
  if (!coversReplica(spec, replica)) return wrong("for", whomText(budget), whoText(replica));
  // A bind in a partitioned region need not replace a loss, but its budget must have reached it
  // (DG4).
  const { nowMs, guessMs } = spending;
  const marks = marksOn(objects, region, nowMs);
  for (const mark of marks) {
    const at = { budget: budget.meta.name, nowMs: nowMs ?? guessMs };
    const late = unreachedRecoveryBudget(objects, mark, at);
    if (late !== undefined) return wrong("since", "granted before the partition", late.text);
  }
  if (marks.length === 0 && !mayBeBoundOnRecoveryBudget(objects, spending)) {
    return wrong(
      "workload",
      "a recovering workload that needs another replica",
      workloadOf(replica),
    );
  }
  return overOrSpent(objects, budget, spending);
}

function overOrSpent(
  objects: ObjectIndex,
  budget: RecoveryBudget,
  { replica, earlier, nowMs = Number.NEGATIVE_INFINITY }: Spending,
): RecoveryBudgetObstacle | undefined {
  const { meta, status } = budget;
  if (!isRecoveryBudgetInForce(budget, nowMs)) {
    const actual = isClosed(budget) ? "ended" : `over since ${status.untilMs}`;
    return { code: "budget-over", field: "until", expected: "in force", actual };
  }
  const left = minus(leftNow(objects, budget, nowMs), earlier.spentOf(meta.name));
  const { amounts } = replica.spec.template.ask;
  const short = shortage(amounts, left);
  return (
    short && { code: "budget-spent", field: short, expected: amounts[short], actual: left[short] }
  );
}

/**
 * Of those that the bind may spend the one that ends last, the first by name of several: one that
 * has expired, but is not marked so yet, is named only without another, and blocks no bind that
 * another covers.
 */
export function recoveryBudgetFor(
  objects: ObjectIndex,
  spending: Spending,
): RecoveryBudget | undefined {
  if (objects.all("RecoveryBudget").size === 0) return undefined;
  let last: RecoveryBudget | undefined;
  for (const budget of allRecoveryBudgets(objects)) {
    if (last !== undefined && last.status.untilMs >= budget.status.untilMs) continue;
    if (recoveryBudgetObstacle(objects, budget, spending) === undefined) last = budget;
  }
  return last;
}

/** e.g. "tenants payments, classes critical" */
export function whomText({ spec: { tenants, classes } }: RecoveryBudget): string {
  const parts = [
    ...(tenants === undefined ? [] : [`tenants ${tenants.join(", ")}`]),
    ...(classes === undefined ? [] : [`classes ${classes.join(", ")}`]),
  ];
  return parts.join(", ") || "all";
}

const whoText = ({ meta, spec }: Replica): string =>
  `tenant ${meta.namespace}, class ${spec.template.priorityClass || "none"}`;
