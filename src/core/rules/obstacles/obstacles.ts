/**
 * Every rule of placement that keeps one replica from one node, with the numbers, and not only the
 * first.
 */
import type { Replica } from "../../model/objects.ts";
import { spreadInForce } from "../../observe/policy-in-force.ts";
import { overridesInForce } from "../override/overrides-in-force.ts";
import { neighbourRules } from "./neighbour-rules.ts";
import type { KeptRooms, Obstacle, Surroundings } from "./obstacle.ts";
import { PLACEMENT_RULES } from "./placement-rules.ts";
import type { Placing } from "./remedy.ts";

export function obstaclesOf(placing: Placing, around: Surroundings): readonly Obstacle[] {
  const found: Obstacle[] = [];
  for (const rule of PLACEMENT_RULES) {
    for (const obstacle of rule.obstacles(placing, around)) found.push(obstacle);
  }
  return found;
}

const NO_ROOMS: KeptRooms = new Map();

/** For one replica: who its neighbours are is asked once for all nodes. */
export const surroundingsOf = (
  replica: Replica,
  surroundings: Pick<Surroundings, "objects" | "quotas" | "nodes"> &
    Partial<Pick<Surroundings, "overrides" | "kept" | "granted">>,
): Surroundings => ({
  overrides: overridesInForce(surroundings.objects),
  kept: NO_ROOMS,
  granted: [],
  ...surroundings,
  rules: neighbourRules(
    replica,
    surroundings.objects.neighbours,
    spreadInForce(surroundings.objects, replica.spec.template),
  ),
  fewest: new Map(),
});
