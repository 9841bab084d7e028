/**
 * The recovery budgets, their scope and how much of them is spent, computed a second time: sums
 * over all replicas, anew for every question. It does not use the accounts of a plane.
 */
import type { AmountName, Amounts } from "../../../core/model/amounts.ts";
import type { RecoveryBudgetTerms, RecoveryRules } from "../../../core/model/recovery-budget.ts";
import type { RecoveryBudget, Replica, Workload } from "../../../core/model/objects.ts";
import type { ObjectIndex } from "../../../core/observe/object-index.ts";
import { isHolding } from "./holding.ts";
import { holdingAt } from "./naive-overrides.ts";
import { recoveryPicture } from "./naive-recovery.ts";
import { isWantedBy, replicasOf } from "./naive-wanted.ts";
import { AMOUNT_NAMES } from "./amount-names.ts";

type Sums = Record<AmountName, number>;
const none = (): Sums => ({ cpuMillis: 0, memoryMiB: 0, deviceMillis: 0 });

function add(sums: Sums, more: Amounts): void {
  for (const name of AMOUNT_NAMES) sums[name] += more[name];
}

/**
 * The recovery rules of the revision in force outside of stages; undefined: recoveries are not
 * budgeted.
 */
export function recoveryTerms(objects: ObjectIndex): RecoveryRules | undefined {
  for (const { meta, spec } of objects.all("Policy").values()) {
    if (meta.name !== "default" || spec.active === undefined) continue;
    for (const revision of objects.all("PolicyRevision").values()) {
      if (revision.meta.name === spec.active) return revision.spec.recovery;
    }
  }
  return undefined;
}

/** With a time of the authority's clock; without one, every budget that no commit has withdrawn. */
export const isInForceAt = ({ meta, status }: RecoveryBudget, atMs?: number): boolean =>
  meta.deletingMs === undefined && (atMs === undefined || atMs < status.untilMs);

/** The amount it grants, with the overrides that raise the budgets of its region. */
export function grantedBy(objects: ObjectIndex, { spec }: RecoveryBudget, atMs?: number): Amounts {
  let percent = 100;
  for (const override of holdingAt(objects, atMs)) {
    const { action, target, amount = 0 } = override.spec;
    if (action !== "raise-budget" || target.region !== spec.region) continue;
    if (target.workload === undefined) percent += amount;
  }
  return partOf(spec.amounts, percent);
}

function partOf(amounts: Amounts, percent: number): Amounts {
  const sums = none();
  for (const name of AMOUNT_NAMES) sums[name] = Math.floor((amounts[name] * percent) / 100);
  return sums;
}

/** The sum of the requests of the replicas that hold a node on it. */
export function spentOf(objects: ObjectIndex, { meta }: RecoveryBudget): Amounts {
  const sums = none();
  for (const replica of objects.all("Replica").values()) {
    if (replica.status.budget !== meta.name || !isHolding(replica)) continue;
    add(sums, replica.spec.template.ask.amounts);
  }
  return sums;
}

/**
 * The grants of all budgets in force, or the larger amount spent of them, and the amount still
 * spent of the others. Without a time of the authority's clock: as if only commits ended budgets.
 */
export function outstandingAt(objects: ObjectIndex, atMs?: number): Amounts {
  const sums = none();
  for (const budget of objects.all("RecoveryBudget").values()) {
    const spent = spentOf(objects, budget);
    const granted = isInForceAt(budget, atMs) ? grantedBy(objects, budget, atMs) : none();
    for (const name of AMOUNT_NAMES) sums[name] += Math.max(granted[name], spent[name]);
  }
  return sums;
}

type ForWhom = Pick<RecoveryBudget["spec"], "tenants" | "classes">;

/** Whether it covers this tenant and class, in any region. */
export const isFor = ({ tenants, classes }: ForWhom, tenant: string, priority: string): boolean =>
  (tenants === undefined || tenants.some((name) => name === tenant)) &&
  (classes === undefined || classes.some((name) => name === priority));

/** Whether it covers the same region and work as the terms, in any amount. */
export const isLike = (
  { spec }: RecoveryBudget,
  { region, tenants, classes }: RecoveryBudgetTerms,
): boolean =>
  spec.region === region &&
  spec.tenants?.join() === tenants?.join() &&
  spec.classes?.join() === classes?.join();

/** Whether it has this much left. */
export function hasLeft(
  objects: ObjectIndex,
  budget: RecoveryBudget,
  asked: Amounts,
  atMs?: number,
): boolean {
  const granted = grantedBy(objects, budget, atMs);
  const spent = spentOf(objects, budget);
  return AMOUNT_NAMES.every(
    (name) => asked[name] === 0 || spent[name] + asked[name] <= granted[name],
  );
}

/** A budget on which the replica could be bound in the region; without a region, in any. */
export function recoveryBudgetFor(
  objects: ObjectIndex,
  replica: Replica,
  of: { readonly region?: string; readonly atMs?: number },
): RecoveryBudget | undefined {
  const { ask, priorityClass } = replica.spec.template;
  return [...objects.all("RecoveryBudget").values()].find(
    (budget) =>
      isInForceAt(budget, of.atMs) &&
      (of.region === undefined || of.region === budget.spec.region) &&
      isFor(budget.spec, replica.meta.namespace, priorityClass) &&
      hasLeft(objects, budget, ask.amounts, of.atMs),
  );
}

/**
 * How many more replicas need a node until as many can serve as before the loss; 0 without a loss.
 */
export function lackOf(objects: ObjectIndex, workload: Workload): number {
  if (workload.status.recovery?.under === undefined) return 0;
  const placed = replicasOf(objects, workload).filter((replica) => {
    const { stage, stopping, superseded } = replica.status;
    const isUp = isHolding(replica) && stage !== "unknown" && stopping === undefined;
    return isUp && superseded === undefined && isWantedBy(workload, replica.spec);
  });
  return Math.max(0, recoveryPicture(objects, workload).bar - placed.length);
}
