/**
 * Which place a node belongs to. Spreading, affinity and anti-affinity all speak of places by the
 * same words.
 */
import type { Node, Topology } from "./objects.ts";

/** Undefined when the node has no such label: it is then in no place of that kind. */
export function domainOf(node: Node, by: Topology): string | undefined {
  switch (by) {
    case "node":
      return node.meta.name;
    case "zone":
      return node.spec.zone;
    case "region":
      return node.spec.region;
    default:
      return node.meta.labels[by];
  }
}

/** Whether two states of a node are in the same place, by whatever topology one asks. */
export function isSamePlace(a: Node, b: Node): boolean {
  if (a.spec.zone !== b.spec.zone || a.spec.region !== b.spec.region) return false;
  if (a.meta.labels === b.meta.labels) return true;
  const labels = Object.keys(a.meta.labels);
  return (
    labels.length === Object.keys(b.meta.labels).length &&
    labels.every((label) => a.meta.labels[label] === b.meta.labels[label])
  );
}
