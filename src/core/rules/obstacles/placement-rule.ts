/**
 * A rule that rejects nodes for a replica: the name that decisions count it under, and what may
 * lift it.
 */
import type { Fact } from "../../protocol/decision.ts";
import type { Replica } from "../../model/objects.ts";

export interface PlacementRule {
  readonly name: string;
  /** The facts after which a node that this rule rejected for the replica is worth another look. */
  wakes(replica: Replica): readonly Fact[];
}
