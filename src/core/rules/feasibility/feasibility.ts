/**
 * The one check of "can this node take this replica". The scheduler asks it of its view, the
 * authority of the truth; they can differ in what they know, never in what they mean.
 */
import type { Ask, Node, Replica } from "../../model/objects.ts";
import { allowedLocation } from "./allowed-location.ts";
import { antiAffinity } from "./anti-affinity.ts";
import { capacity } from "./capacity.ts";
import { devices } from "./devices.ts";
import { driver } from "./driver.ts";
import { fixedPorts } from "./fixed-ports.ts";
import { maxPerNode } from "./max-per-node.ts";
import { maxReplicas } from "./max-replicas.ts";
import type { Candidate, FeasibilityRule, Misfit } from "./misfit.ts";
import type { NeighbourRule } from "./neighbour-rule.ts";
import type { Neighbourhood } from "./neighbourhood.ts";
import { nodeExpressions } from "./node-expressions.ts";
import { nodeSelector } from "./node-selector.ts";
import { schedulable } from "./schedulable.ts";
import { supply } from "./supply.ts";
import { taints } from "./taints.ts";

/** What the node is, whatever it holds. */
export const STATIC_RULES: readonly FeasibilityRule[] = [
  allowedLocation,
  nodeSelector,
  nodeExpressions,
  taints,
  driver,
  supply,
  schedulable,
];

/** What is left of it. */
export const ROOM_RULES: readonly FeasibilityRule[] = [maxReplicas, capacity, devices];

/**
 * Who else is there. These hold at commit, too; required affinity and spreading are counted on a
 * view only, because a place that others leave again breaks no promise
 * (`obstacles/neighbour-rules.ts`).
 */
export const NEIGHBOUR_RULES: readonly NeighbourRule[] = [fixedPorts, maxPerNode, antiAffinity];

/** Lasting reasons first, passing ones last: the first misfit is the one a person is told. */
export const FEASIBILITY_RULES: readonly FeasibilityRule[] = [...STATIC_RULES, ...ROOM_RULES];

export function firstMisfit(
  candidate: Candidate,
  ask: Ask,
): { readonly rule: FeasibilityRule; readonly misfit: Misfit } | undefined {
  for (const rule of FEASIBILITY_RULES) {
    const misfit = rule.check(candidate, ask);
    if (misfit !== undefined) return { rule, misfit };
  }
  return undefined;
}

export function neighbourMisfit(
  node: Node,
  replica: Replica,
  neighbours: Neighbourhood,
): Misfit | undefined {
  for (const rule of NEIGHBOUR_RULES) {
    const misfit = rule.check(node, replica, neighbours);
    if (misfit !== undefined) return misfit;
  }
  return undefined;
}
