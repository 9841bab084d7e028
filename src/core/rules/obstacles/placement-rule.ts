/**
 * A rule that rejects nodes for a replica: the name that decisions count it under, what may lift
 * it, and its what-if.
 */
import type { Fact } from "../../protocol/decision.ts";
import type { Replica } from "../../model/objects.ts";
import type { Obstacle, Surroundings } from "./obstacle.ts";
import type { Placing } from "./remedy.ts";

export interface PlacementRule {
  readonly name: string;
  /** The facts after which a node that this rule rejected for the replica is worth another look. */
  wakes(replica: Replica): readonly Fact[];
  /**
   * Everything about the node that this rule rejects, each with the change that would lift it where
   * a person can make one. Empty: the rule lets the replica in, or only its scheduler knows.
   */
  obstacles(placing: Placing, around: Surroundings): readonly Obstacle[];
}
