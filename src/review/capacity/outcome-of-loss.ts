/** What one loss comes to, measured against what a question demands. */
import type { ObjectKey } from "../../core/model/ids.ts";
import type { Replica, Workload } from "../../core/model/objects.ts";
import { holdsNode } from "../../core/model/stage.ts";
import { isWanted } from "../../core/model/availability.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import type { LossPlan, LossTerms } from "../../core/explain/loss-plan.ts";
import type { AfterLoss, LossPlanner } from "../../core/explain/plan-loss.ts";
import type { CapacityClass } from "../review.ts";
import type { CapacityQuestion, Place, ServesTerms } from "./capacity-question.ts";
import { moreReplica, nextIndexOf } from "./more-replicas.ts";
import { nameBinding } from "./name-binding.ts";

export interface Outcome {
  readonly places: readonly Place[];
  readonly plan: LossPlan;
  /** What must be there afterwards, and what of it is not. */
  readonly wanted: number;
  readonly missing: number;
}

export interface HeadroomTerms {
  readonly workload: ObjectKey;
  /** Counted up to this many. */
  readonly most: number;
}

export interface Room {
  readonly more: number;
  /** What keeps the next one out; left out: as many as were counted up to found room. */
  readonly binding?: string;
}

export function outcomeOf(
  planner: LossPlanner,
  places: readonly Place[],
  question: CapacityQuestion,
): Outcome {
  return afterLoss(planner, places, question, (after) => measured(after, places, question));
}

export const nodesOf = (places: readonly Place[]): readonly string[] =>
  places.flatMap(({ nodes }) => nodes);

export function termsOf(
  { counted, onlyWorkload, serves }: CapacityQuestion,
  also: Partial<LossTerms> = {},
): LossTerms {
  const lastOfEquals = onlyWorkload ?? serves?.workload;
  return { counted, lastOfEquals, tellsWhy: false, ...also };
}

export const afterLoss = <Answer>(
  planner: LossPlanner,
  places: readonly Place[],
  question: CapacityQuestion,
  ask: (after: AfterLoss) => Answer,
): Answer => planner.after(nodesOf(places), termsOf(question), ask);

function measured(after: AfterLoss, places: readonly Place[], question: CapacityQuestion): Outcome {
  const { plan } = after;
  const placing = wantedOf(after, question);
  const { spare } = question;
  const spareMissing =
    spare === undefined
      ? 0
      : spare.count - roomAfter(after, { workload: spare.workload, most: spare.count }).more;
  return {
    places,
    plan,
    wanted: placing.wanted + (spare?.count ?? 0),
    missing: placing.missing + spareMissing,
  };
}

function wantedOf(
  { world, plan }: AfterLoss,
  { onlyWorkload, serves }: CapacityQuestion,
): Pick<Outcome, "wanted" | "missing"> {
  if (serves !== undefined) {
    const there = placedOf(world.objects, serves);
    return { wanted: serves.replicas, missing: Math.max(0, serves.replicas - there) };
  }
  const all = plan.homeless.reduce((sum, { count }) => sum + count, 0);
  if (onlyWorkload === undefined) return { wanted: plan.lost + plan.preempted, missing: all };
  const missing = plan.homeless.find(({ workload }) => workload === onlyWorkload)?.count ?? 0;
  const placed = plan.placedOf.get(onlyWorkload) ?? 0;
  return { wanted: placed + missing, missing };
}

/** Its replicas that hold a node that was not lost, in the regions that count. */
function placedOf(objects: ObjectIndex, { workload: key, in: regions }: ServesTerms): number {
  const workload = objects.workload(key);
  let count = 0;
  for (const replica of objects.replicasOf(key).values()) {
    const { stage, node, stopping } = replica.status;
    const at = objects.nodeNamed(node ?? "");
    if (at === undefined || at.status.health === "fenced" || !holdsNode(stage)) continue;
    if (stopping !== undefined || !isWanted(replica, workload)) continue;
    if (regions === undefined || regions.includes(at.spec.region)) count += 1;
  }
  return count;
}

/** How many more replicas of the workload find a place, one after the other. */
export function roomAfter(
  { world, place }: AfterLoss,
  { workload: key, most }: HeadroomTerms,
): Room {
  const { objects } = world;
  const workload = objects.workload(key);
  if (workload === undefined) return { more: 0, binding: "the workload does not exist" };
  const scaled: Workload = {
    ...workload,
    spec: { ...workload.spec, replicas: workload.spec.replicas + most },
  };
  return world.during((): Room => {
    // Whatever else depends on how many it asks for.
    world.put(key, scaled);
    const first = nextIndexOf(objects, scaled);
    for (let more = 0; more < most; more += 1) {
      const replica = moreReplica(scaled, first + more);
      world.put(replica.key, replica);
      if (!place(replica)) return { more, binding: bindingOf(world.objects, replica) };
    }
    return { more: most };
  });
}

/** Lost nodes are fenced in that world; one that was fenced before is lost, too. */
export function bindingOf(objects: ObjectIndex, replica: Replica): string {
  const lost = new Set<string>();
  for (const { meta, status } of objects.all("Node").values()) {
    if (status.health === "fenced") lost.add(meta.name);
  }
  return nameBinding(objects, replica, lost);
}

/** The same loss with another class of room. */
export const withCounted = (
  question: CapacityQuestion,
  counted: CapacityClass,
): CapacityQuestion => ({ ...question, counted });
