/**
 * What an ask class is told of single nodes: by the rules about the node itself, and by temporary
 * exclusions.
 */
import { STATIC_RULES } from "../../rules/feasibility/feasibility.ts";
import { preferencePoints } from "../../rules/feasibility/preferences.ts";
import type { Ask, Node, Topology } from "../../model/objects.ts";
import { domainOf } from "../../model/topology.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";
import { PARTITIONED_RULE } from "../../rules/override/partitioned.ts";
import { OVERRIDE_RULE } from "../../rules/override/wait-for-override.ts";
import type { AvoidedPlaces } from "./avoided-places.ts";
import type { HeldBack } from "./held-back.ts";

/** What an ask class has to know about nodes that is not in the columns. */
export interface NodeChecks {
  /** The name of the lasting rule that turns the row away; undefined when it may be used. */
  turnsAway(row: number): string | undefined;
  /**
   * The name of a passing reason to leave the row alone. Unlike the above it does not unmake the
   * place: a zone whose only node was refused a moment ago is still the emptiest one, or spreading
   * would overshoot.
   */
  holdsBack(row: number): string | undefined;
  /** Points for what the node is, whatever it holds. */
  points(row: number): number;
  domain(row: number, by: Topology): string | undefined;
}

export interface CheckedNodes {
  readonly objects: ObjectIndex;
  readonly places: AvoidedPlaces;
  readonly heldBack: HeldBack;
  /** Whether the node's region is partitioned, and is not given this. */
  readonly keepsOut: (node: Node) => boolean;
  /** The node of a row, and its name. */
  readonly node: (row: number) => Node;
  readonly name: (row: number) => string;
}

export function checkNodes(
  ask: Ask,
  { objects, places, keepsOut, heldBack, node, name }: CheckedNodes,
): NodeChecks {
  return {
    turnsAway: (row) => {
      const of = node(row);
      for (const rule of STATIC_RULES) {
        if (rule.check({ node: of, use: objects.useOf(of.meta.name) }, ask)) return rule.name;
      }
      if (places.by(of) !== undefined) return OVERRIDE_RULE;
      return keepsOut(of) ? PARTITIONED_RULE : undefined;
    },
    holdsBack: (row) => heldBack.why(name(row)),
    points: (row) => preferencePoints(node(row), ask),
    domain: (row, by) => domainOf(node(row), by),
  };
}
