/**
 * Every node drained in turn: which drains never come to an end, and which rule is why. A replica
 * that its workload never spares keeps its node; so does one whose workload waits for another that
 * found no place.
 */
import type { ObjectKey } from "../../core/model/ids.ts";
import type { Replica } from "../../core/model/objects.ts";
import { workloadOf } from "../../core/model/workload-of.ts";
import type { DrainEnd } from "../../core/explain/drain-to-end.ts";
import type { LossPlanner } from "../../core/explain/plan-loss.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import { overridesInForce } from "../../core/rules/override/overrides-in-force.ts";
import { workloadText } from "./capacity-question.ts";
import { nameBinding } from "./name-binding.ts";

export interface DrainArgument {
  readonly drains: number;
  /** In the order of the names of their nodes. */
  readonly stuck: readonly StuckDrain[];
}

export interface StuckDrain {
  readonly node: string;
  readonly blocked: readonly Blocked[];
}

export interface Blocked {
  readonly workload: string;
  readonly count: number;
  /** e.g. "its disruption budget is 0" */
  readonly because: string;
}

export function argueDrains(
  planner: LossPlanner,
  onProgress?: (done: number, of: number, node: string) => void,
): DrainArgument {
  const nodes = [...planner.objects.all("Node").values()]
    .filter(({ spec }) => spec.supply !== "soft")
    .map(({ meta }) => meta.name)
    .toSorted();
  const stuck = nodes.flatMap((node, at) => {
    onProgress?.(at, nodes.length, node);
    return planner.drain(node, (end, { objects }) => {
      const blocked = blockedBy(objects, node, end);
      return blocked.length === 0 ? [] : [{ node, blocked }];
    });
  });
  return { drains: nodes.length, stuck };
}

function blockedBy(
  objects: ObjectIndex,
  node: string,
  { stuck, homeless }: DrainEnd,
): readonly Blocked[] {
  const counts = new Map<ObjectKey, number>();
  for (const replica of stuck) {
    const key = workloadOf(replica);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].map(([key, count]) => ({
    workload: workloadText(key),
    count,
    because: whyStuck(
      objects,
      key,
      homeless.find((each) => workloadOf(each) === key),
      node,
    ),
  }));
}

function whyStuck(
  objects: ObjectIndex,
  key: ObjectKey,
  homeless: Replica | undefined,
  node: string,
): string {
  const disruption = objects.workload(key)?.spec.disruption;
  if (disruption?.maxUnavailable === 0) return "its disruption budget is 0";
  if (homeless !== undefined) {
    const binding = nameBinding(objects, homeless, new Set([node]));
    return `another replica of it left and found no place: ${binding}`;
  }
  if (overridesInForce(objects).length > 0) return "an override or other missing replicas hold it";
  const budget =
    disruption === undefined
      ? "a service without a budget loses one at a time"
      : `its disruption budget is ${disruption.maxUnavailable}`;
  return `${budget}, and as many of its replicas do not serve already`;
}
