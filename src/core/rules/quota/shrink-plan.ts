/**
 * How a tenant comes back under a quota that was made smaller than its use: how much is over, and
 * who goes when.
 */
import { AMOUNT_NAMES, type Amounts, minus, plus, NOTHING } from "../../model/amounts.ts";
import type { Replica } from "../../model/objects.ts";
import { holdsNode } from "../../model/stage.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";
import { pickVictims, reclaimOrder } from "./reclaim-order.ts";

export interface ShrinkPlan {
  /** What is used beyond the limit and what may be borrowed. */
  readonly over: Amounts;
  /** "drain": they are asked to go. "wait": they go when they end. */
  readonly how: "wait" | "drain";
  /** Those already on their way out first, then those that follow, in order. */
  readonly replicas: readonly Replica[];
}

/** Undefined while the quota covers what is used. */
export function shrinkPlan(objects: ObjectIndex, tenant: string): ShrinkPlan | undefined {
  const { account, spec } = objects.quotaUsage.of(tenant);
  const over = { ...account.overdrawn };
  if (AMOUNT_NAMES.every((name) => over[name] === 0)) return undefined;
  const going = leavingFirst(objects, tenant);
  const gone = going.reduce<Amounts>(
    (sum, { spec: { template } }) => plus(sum, template.ask.amounts),
    NOTHING,
  );
  const rest = minus(over, gone);
  const left = {
    cpuMillis: Math.max(0, rest.cpuMillis),
    memoryMiB: Math.max(0, rest.memoryMiB),
    deviceMillis: Math.max(0, rest.deviceMillis),
  };
  const order = reclaimOrder(objects, new Set([tenant]));
  const next = pickVictims(order, left, new Map([[tenant, left]]));
  return { over, how: spec?.shrink ?? "wait", replicas: [...going, ...next] };
}

function leavingFirst(objects: ObjectIndex, tenant: string): readonly Replica[] {
  const found: Replica[] = [];
  for (const replica of objects.all("Replica").values()) {
    const { stage, stopping } = replica.status;
    if (replica.meta.namespace !== tenant || stopping === undefined) continue;
    if (holdsNode(stage) && stage !== "unknown") found.push(replica);
  }
  return found.toSorted((a, b) => (a.key < b.key ? -1 : 1));
}
