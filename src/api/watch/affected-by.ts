/**
 * Which other objects look different after a change. A workload's status counts its replicas, a
 * quota shows its usage: those numbers are not committed, so only this list knows that they moved.
 */
import type { Change } from "../../core/protocol/commit-record.ts";
import { recoveryBudgetKey } from "../../core/model/recovery-budget.ts";
import { nodeKey, type ObjectKey, quotaKey, regionKey, workloadKey } from "../../core/model/ids.ts";
import type { AnyObject, Override, Replica } from "../../core/model/objects.ts";
import { holdsNode } from "../../core/model/stage.ts";
import { isAvailable } from "../../core/model/availability.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";

const NOTHING: readonly ObjectKey[] = [];

export function affectedBy(
  { before, after }: Change,
  objects: Pick<ObjectIndex, "all">,
): readonly ObjectKey[] {
  const some = after ?? before;
  if (some === undefined) return NOTHING;
  switch (some.kind) {
    case "Replica":
      return affectedByReplica(some, { before, after }, objects);
    case "Workload":
      return overridesUntil(some.key, objects);
    case "Override":
      return overrideShows(some, objects);
    case "RecoveryBudget":
    case "Policy":
      return allRecoveryBudgets(objects);
    case "Reservation":
      return [quotaKey(some.spec.tenant)];
    case "Node":
      return before === undefined || after === undefined ? [regionKey(some.spec.region)] : NOTHING;
    default:
      return NOTHING;
  }
}

/** By far the most changes of a busy plane, so it makes one list and no more. */
function affectedByReplica(
  { meta: { namespace }, spec }: Replica,
  { before, after }: Pick<Change, "before" | "after">,
  objects: Pick<ObjectIndex, "all">,
): readonly ObjectKey[] {
  const workload = workloadKey(namespace, spec.workload);
  const keys = [workload, quotaKey(namespace)];
  if (serves(before) !== serves(after)) keys.push(...overridesUntil(workload, objects));
  const [was, is] = [nodeOf(before), nodeOf(after)];
  if (was !== undefined) keys.push(nodeKey(was));
  if (is !== undefined && is !== was) keys.push(nodeKey(is));
  keys.push(...budgetsOf(before, after));
  if (isProvisional(before) || isProvisional(after)) {
    keys.push(...provisionalIn([before, after], objects));
  }
  return keys;
}

const isProvisional = (object: AnyObject | undefined): boolean =>
  object?.kind === "Replica" && object.status.provisional !== undefined;

/** What a region is marked with it shows, and a budget what it is raised by. */
function overrideShows(
  { spec }: Override,
  objects: Pick<ObjectIndex, "all">,
): readonly ObjectKey[] {
  if (spec.action === "raise-budget") return allRecoveryBudgets(objects);
  const { region } = spec.target;
  return spec.action === "mark-partitioned" && region !== undefined ? [regionKey(region)] : NOTHING;
}

/** A region counts what is provisional there. */
function provisionalIn(
  states: readonly (AnyObject | undefined)[],
  objects: Pick<ObjectIndex, "all">,
): readonly ObjectKey[] {
  const regions = states.flatMap((replica) => {
    if (replica?.kind !== "Replica" || replica.status.provisional === undefined) return [];
    return objects.all("Node").get(nodeKey(replica.status.node ?? ""))?.spec.region ?? [];
  });
  return [...new Set(regions)].map(regionKey);
}

const serves = (object: AnyObject | undefined): boolean =>
  object?.kind === "Replica" && isAvailable(object);

/**
 * An override shows whether its postcondition is met by now. There are few, and fewer that say
 * what.
 */
function overridesUntil(
  workload: ObjectKey,
  objects: Pick<ObjectIndex, "all">,
): readonly ObjectKey[] {
  const found: ObjectKey[] = [];
  for (const { key, spec } of objects.all("Override").values()) {
    const { postcondition: of } = spec;
    if (of !== undefined && workloadKey(of.tenant, of.workload) === workload) found.push(key);
  }
  return found;
}

const nodeOf = (object: AnyObject | undefined): string | undefined =>
  object?.kind === "Replica" ? object.status.node : undefined;

/**
 * Each shows whether all of them fit the reserve that is in force, and what it grants as it is
 * raised.
 */
const allRecoveryBudgets = (objects: Pick<ObjectIndex, "all">): readonly ObjectKey[] => [
  ...objects.all("RecoveryBudget").keys(),
];

/**
 * What a binding spends is shown with its budget; what neither began nor ended spends as before.
 */
function budgetsOf(
  before: AnyObject | undefined,
  after: AnyObject | undefined,
): readonly ObjectKey[] {
  const [was, is] = [budgetOf(before), budgetOf(after)];
  if (was === is) return NOTHING;
  return [was, is].filter((name) => name !== undefined).map(recoveryBudgetKey);
}

const budgetOf = (object: AnyObject | undefined): string | undefined =>
  object?.kind === "Replica" && holdsNode(object.status.stage) ? object.status.budget : undefined;

/** Kinds that show something of others. */
export const SHOWS_OTHERS: ReadonlySet<AnyObject["kind"]> = new Set([
  "Workload",
  "Quota",
  "Node",
  "Region",
  "RecoveryBudget",
  "Override",
]);
