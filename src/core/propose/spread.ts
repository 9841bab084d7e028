/**
 * Keeps a workload's replicas apart: placing in a domain must not leave it more than `maxSkew` ahead of
 * the emptiest one. Counted on the view, so it is a rule of proposing, not of committing: two schedulers
 * may briefly overshoot, and that breaks no promise.
 */
import type { Candidate } from "../feasibility/misfit.ts";
import { nodeKey } from "../model/ids.ts";
import { workloadOf } from "../model/workload-of.ts";
import type { Node, Replica, Spread } from "../model/objects.ts";
import type { View } from "../observe/view.ts";

const domainOf = (node: Node, by: Spread["by"]): string =>
  by === "zone" ? node.spec.zone : by === "region" ? node.spec.region : node.meta.name;

export interface SpreadCounts {
  readonly spread: Spread;
  /** Replicas of the same generation per domain; every domain that could be used is present. */
  readonly counts: ReadonlyMap<string, number>;
  readonly fewest: number;
}

/** `eligible` are the nodes that could take the replica but for room; `promised` are siblings on their way. */
export function countSpread(
  view: View,
  replica: Replica,
  eligible: readonly Candidate[],
  promised: readonly string[] = [],
): readonly SpreadCounts[] {
  const { spread: rules } = replica.spec.template;
  if (rules.length === 0) return [];
  const siblings = siblingNodes(view, replica, promised);
  return rules.map((spread) => {
    const counts = new Map<string, number>();
    for (const { node } of eligible) counts.set(domainOf(node, spread.by), 0);
    for (const node of siblings) {
      const domain = domainOf(node, spread.by);
      const count = counts.get(domain);
      if (count !== undefined) counts.set(domain, count + 1);
    }
    return { spread, counts, fewest: Math.min(...counts.values()) };
  });
}

function siblingNodes(view: View, replica: Replica, promised: readonly string[]): readonly Node[] {
  const names = [...promised];
  const key = workloadOf(replica);
  for (const sibling of view.objects.replicasOf(key).values()) {
    const { node } = sibling.status;
    if (node !== undefined && sibling.spec.generation === replica.spec.generation) names.push(node);
  }
  return names.flatMap((name) => view.objects.node(nodeKey(name)) ?? []);
}

export function breaksSpread(node: Node, counted: readonly SpreadCounts[]): boolean {
  return counted.some(({ spread, counts, fewest }) => {
    const count = counts.get(domainOf(node, spread.by)) ?? 0;
    return count + 1 - fewest > spread.maxSkew;
  });
}

/** Points for how much room below the skew a node's domains leave; more is better spread. */
export function spreadPoints(node: Node, counted: readonly SpreadCounts[]): number {
  let points = 0;
  for (const { spread, counts, fewest } of counted) {
    const ahead = (counts.get(domainOf(node, spread.by)) ?? 0) - fewest;
    points -= ahead * 100;
  }
  return points;
}
