/**
 * Which replicas give their quota back, in order: the least important class first, and within a
 * class the newest, which has lost least. Never more of them than are needed.
 */
import { AMOUNT_NAMES, type Amounts, minus, NOTHING } from "../../model/amounts.ts";
import type { Replica } from "../../model/objects.ts";
import { classOf } from "../../model/preemption.ts";
import { holdsNode } from "../../model/stage.ts";
import { withinBudgets } from "../disruption.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";
import { addTo, type Balance } from "../../observe/accounts/account.ts";

/** The replicas of these tenants that hold quota and can be asked for it, first to go first. */
export function reclaimOrder(
  objects: ObjectIndex,
  tenants: ReadonlySet<string>,
): readonly Replica[] {
  const classes = objects.all("PriorityClass");
  const found: { readonly replica: Replica; readonly value: number }[] = [];
  for (const replica of objects.all("Replica").values()) {
    if (!tenants.has(replica.meta.namespace) || !canBeAsked(replica)) continue;
    found.push({ replica, value: classOf(classes, replica.spec.template.priorityClass).value });
  }
  const order = found
    .toSorted((a, b) => a.value - b.value || newestFirst(a.replica, b.replica))
    .map(({ replica }) => replica);
  // Whom its workload cannot spare cannot be asked, either (PE4).
  return withinBudgets(objects, order, "owed");
}

function canBeAsked({ status }: Replica): boolean {
  const { stage, stopping } = status;
  return stage === "queued" || (holdsNode(stage) && stage !== "unknown" && stopping === undefined);
}

/**
 * Indexes of one commit are of one age; of these the highest goes first, as when a workload is
 * scaled down.
 */
function newestFirst(a: Replica, b: Replica): number {
  if (a.meta.createdMs !== b.meta.createdMs) return b.meta.createdMs - a.meta.createdMs;
  if (a.spec.index !== b.spec.index) return b.spec.index - a.spec.index;
  return a.key < b.key ? -1 : 1;
}

/**
 * The first of the order that together give back what is needed, without any that could be left
 * out. `spare` is what each tenant may be asked for; who has given that much is asked for no more.
 */
export function pickVictims(
  order: readonly Replica[],
  needed: Amounts,
  spare: ReadonlyMap<string, Amounts>,
): readonly Replica[] {
  const left: Balance = { ...needed };
  const spares = new Map([...spare].map(([tenant, amounts]) => [tenant, { ...amounts }]));
  const picked: Replica[] = [];
  for (const replica of order) {
    const of = spares.get(replica.meta.namespace);
    const { amounts } = replica.spec.template.ask;
    const isOfUse = AMOUNT_NAMES.some(
      (name) => left[name] > 0 && amounts[name] > 0 && (of?.[name] ?? 0) > 0,
    );
    if (of === undefined || !isOfUse) continue;
    picked.push(replica);
    addTo(left, amounts, -1);
    addTo(of, amounts, -1);
  }
  return withoutNeedless(picked, left);
}

/** The most important are looked at first: one that the others make up for is spared. */
function withoutNeedless(picked: readonly Replica[], left: Amounts): readonly Replica[] {
  let over = minus(NOTHING, left);
  const kept: Replica[] = [];
  for (const replica of picked.toReversed()) {
    const { amounts } = replica.spec.template.ask;
    // What is not needed at all counts as over already, and must not spoil the comparison.
    const isNeedless = AMOUNT_NAMES.every(
      (name) => amounts[name] === 0 || amounts[name] <= over[name],
    );
    if (isNeedless) over = minus(over, amounts);
    else kept.push(replica);
  }
  return kept.toReversed();
}
