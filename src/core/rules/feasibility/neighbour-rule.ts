/** A rule about who else is there: it needs the replica itself and not only what it asks for. */
import type { Fact } from "../../protocol/decision.ts";
import type { Node, Replica } from "../../model/objects.ts";
import type { Misfit } from "./misfit.ts";
import type { Neighbourhood } from "./neighbourhood.ts";

export interface NeighbourRule {
  readonly name: string;
  /** The facts after which a node turned away by this rule is worth another look. */
  readonly wakes: readonly Fact[];
  check(node: Node, replica: Replica, neighbours: Neighbourhood): Misfit | undefined;
}
