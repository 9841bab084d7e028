/**
 * Gives indexes of a workload an incarnation: straight into the queue while there is quota, or to
 * wait for it.
 */
import type { Intent, IndexIncarnation } from "../protocol/command.ts";
import type { Look } from "../protocol/decision.ts";
import { type Amounts, plus } from "../model/amounts.ts";
import type { Workload } from "../model/objects.ts";
import { templateOf } from "../model/rollout.ts";
import { quotaShort } from "../observe/accounts/quota-room.ts";
import { indexReplicas } from "../observe/index-replicas.ts";
import type { View } from "../observe/view.ts";
import { admitOperation, enqueueOperation } from "../protocol/operations.ts";
import { isFirstIncarnation } from "../rules/override/held-by-override.ts";
import { overridesInForce } from "../rules/override/overrides-in-force.ts";
import type { Findings } from "./admit.ts";

/** One commit gives at most this many indexes an incarnation. */
const INDEXES_PER_LOOK = 512;

export interface Advance {
  readonly view: View;
  readonly look: Look;
  readonly found: Findings;
}

/**
 * While somebody pauses expansion, indexes that have lived before are asked for by themselves and
 * first: the override of the others does not block them (OV6).
 */
export function apart(
  { key }: Workload,
  fresh: readonly IndexIncarnation[],
  { view: { objects }, generation }: { readonly view: View; readonly generation: number },
): readonly (readonly IndexIncarnation[])[] {
  const isPaused = overridesInForce(objects).some(({ spec }) => spec.action === "pause-expansion");
  if (!isPaused) return [fresh];
  const isFirst = ({ index }: IndexIncarnation): boolean =>
    isFirstIncarnation(objects, { workload: key, generation, index });
  return [fresh.filter((each) => !isFirst(each)), fresh.filter(isFirst)];
}

/**
 * As many as the quota of the view covers; `spent` is what this look has taken of it, before and
 * after.
 */
export function startIncarnations(
  workload: Workload,
  fresh: readonly IndexIncarnation[],
  given: Pick<Advance, "view" | "found"> & { readonly spent: Amounts; readonly generation: number },
): Amounts {
  const { view, found, generation } = given;
  const { namespace: tenant } = workload.meta;
  const template = templateOf(workload, generation);
  if (template === undefined) return given.spent;
  const { ask, priorityClass } = template;
  const indexes: IndexIncarnation[] = [];
  let { spent } = given;
  let isShort = false;
  for (const each of fresh) {
    if (indexes.length === INDEXES_PER_LOOK) break;
    const needed = plus(spent, ask.amounts);
    isShort ||= quotaShort(view.objects, { tenant, priorityClass, amounts: needed }) !== undefined;
    if (isShort || isLeakInTheWay(workload, each, view, generation)) {
      found.intents.push(startIncarnation(workload, each, generation));
      continue;
    }
    spent = needed;
    indexes.push(each);
  }
  if (indexes.length > 0) found.intents.unshift(enqueue(workload, indexes, generation));
  return spent;
}

export const enqueue = (
  workload: Workload,
  indexes: readonly IndexIncarnation[],
  generation = workload.status.templateGeneration,
): Intent => ({
  kind: "enqueue",
  operation: enqueueOperation(workload, generation, indexes),
  workload: workload.key,
  generation,
  indexes,
});

/**
 * A reservation that an earlier namesake left under the same incarnation has to be reclaimed first
 * (RS1).
 */
export function isLeakInTheWay(
  workload: Workload,
  { index, incarnation }: IndexIncarnation,
  view: View,
  generation = workload.status.templateGeneration,
): boolean {
  const { namespace: tenant, name } = workload.meta;
  const { key } = indexReplicas(view.objects, { tenant, workload: name, generation, index });
  for (const held of view.objects.reservationsOf(key)) {
    if (held.spec.incarnation === incarnation && held.spec.for === "quota") return true;
  }
  return false;
}

export const startIncarnation = (
  workload: Workload,
  { index, incarnation }: IndexIncarnation,
  generation = workload.status.templateGeneration,
): Intent => ({
  kind: "admit",
  operation: admitOperation(workload, generation, { index, incarnation }),
  workload: workload.key,
  generation,
  index,
  incarnation,
});
