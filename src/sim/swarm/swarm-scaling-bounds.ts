/**
 * Bounds that policies put to autoscalers, in a part of the worlds that have any: of some revisions
 * and not of others, so that moving the pointer about widens and narrows what a workload may have
 * while its load goes up and down.
 */
import type { ScalingBounds } from "../../core/model/policy.ts";
import type { KeyedRandom } from "../faults/keyed-random.ts";
import { type DrawnPolicies, drawSomePolicies } from "./swarm-policies.ts";
import type { World } from "../world/world.ts";

/** Of a hundred worlds with autoscalers. The others draw nothing here. */
const WORLDS_PERCENT = 50;

export function drawScalingBounds(
  random: KeyedRandom,
  of: {
    readonly policies: DrawnPolicies;
    readonly autoscalers: World["autoscalers"];
    readonly regions: World["regions"];
    readonly untilMs: number;
  },
): DrawnPolicies {
  const { policies, autoscalers, regions, untilMs } = of;
  if (autoscalers === undefined || !random.chance("scaling bounds", 0, WORLDS_PERCENT)) {
    return policies;
  }
  const isThere = policies.world.policyRevisions !== undefined;
  const { world, timeline } = isThere ? policies : drawSomePolicies(random, regions, untilMs);
  const policyRevisions = world.policyRevisions?.map((revision, at) =>
    random.chance("revision bounds", at, 70)
      ? { ...revision, spec: { ...revision.spec, autoscaling: drawBounds(random, at) } }
      : revision,
  );
  return { world: { ...world, ...(policyRevisions && { policyRevisions }) }, timeline };
}

/**
 * About where autoscalers of worlds move themselves, so that now the one and now the other leaves
 * less.
 */
function drawBounds(random: KeyedRandom, at: number): ScalingBounds {
  const least = random.between("bound least", at, 1, 4);
  return {
    ...(random.chance("bounded below", at, 50) ? { minReplicas: least } : {}),
    ...(random.chance("bounded above", at, 60)
      ? { maxReplicas: least + random.between("bound more", at, 0, 4) }
      : {}),
    ...(random.chance("bounded steps", at, 50)
      ? { stepMost: random.between("bound step", at, 1, 3) }
      : {}),
    ...(random.chance("bounded haste", at, 50)
      ? { stabilizationMs: random.between("bound window", at, 1, 40) * 1_000 }
      : {}),
  };
}
