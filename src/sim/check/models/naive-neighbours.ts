/**
 * Whether the neighbours of a replica allow a node, computed slowly and without the accounts that
 * scheduler and authority keep: every question walks over all replicas.
 */
import { LOAD_LIMITS } from "../../../core/model/limits/load-limits.ts";
import type { AffinityTerm, Node, Replica, Spread } from "../../../core/model/objects.ts";
import { isHolding } from "./holding.ts";
import { perState } from "./per-state.ts";

export interface Placed {
  readonly replica: Replica;
  readonly node: Node;
}

/** Every replica that holds a node, with that node. */
export const everyPlaced = perState((objects): readonly Placed[] => {
  const nodes = new Map<string, Node>();
  for (const node of objects.all("Node").values()) nodes.set(node.meta.name, node);
  const found: Placed[] = [];
  for (const replica of objects.all("Replica").values()) {
    const { node: name } = replica.status;
    const node = name !== undefined && isHolding(replica) ? nodes.get(name) : undefined;
    if (node !== undefined) found.push({ replica, node });
  }
  return found;
});

export function placeOf(node: Node, by: string): string | undefined {
  if (by === "node") return node.meta.name;
  if (by === "zone") return node.spec.zone;
  return by === "region" ? node.spec.region : node.meta.labels[by];
}

/** Whether a term of `replica` selects `other`. */
function isMeant(term: AffinityTerm, replica: Replica, other: Replica): boolean {
  const tenants = term.tenants ?? [replica.meta.namespace];
  if (!tenants.includes(other.meta.namespace)) return false;
  return Object.entries(term.labels).every(([label, value]) => other.meta.labels[label] === value);
}

function sharePlace(a: Node, b: Node, by: string): boolean {
  const place = placeOf(a, by);
  return place !== undefined && place === placeOf(b, by);
}

export const areSiblings = (a: Replica, b: Replica): boolean =>
  a.spec.workloadUid === b.spec.workloadUid && a.spec.generation === b.spec.generation;

/**
 * The replica whose anti-affinity, or this replica's own, forbids the node; undefined when none
 * does.
 */
export function keptApartFrom(
  { replica, node }: Placed,
  others: readonly Placed[],
): Replica | undefined {
  const minds = (one: Replica, other: Replica, its: Node): boolean => {
    const { affinity } = one.spec.template;
    // Most replicas have no anti-affinity, and this is asked of all pairs.
    if (affinity === undefined || affinity.antiRequired.length === 0) return false;
    return affinity.antiRequired.some(
      (term) => isMeant(term, one, other) && sharePlace(node, its, term.by),
    );
  };
  return others.find(
    (other) =>
      minds(replica, other.replica, other.node) || minds(other.replica, replica, other.node),
  )?.replica;
}

/** The cap that one more replica on the node would exceed, in words; undefined when none. */
export function brokenCap(
  { replica, node }: Placed,
  others: readonly Placed[],
): string | undefined {
  const here = others.filter((other) => other.node.meta.name === node.meta.name);
  const { maxReplicas = LOAD_LIMITS.nodeReplicas.value } = node.spec;
  if (here.length >= maxReplicas) {
    return `takes ${maxReplicas} replicas and has ${here.length}`;
  }
  const { maxPerNode } = replica.spec.template;
  const siblings = here.filter((other) => areSiblings(other.replica, replica)).length;
  if (maxPerNode === undefined || siblings < maxPerNode) return undefined;
  return `has ${siblings} of the workload's replicas, of which ${maxPerNode} may share a node`;
}

/** A replica on the same node that has a fixed port of this one; undefined: there is none. */
export function sharesPort(
  { replica, node }: Placed,
  others: readonly Placed[],
): Replica | undefined {
  const { fixedPorts } = replica.spec.template.ask;
  if (fixedPorts === undefined) return undefined;
  const ports = new Set(Object.values(fixedPorts));
  return others.find(
    (other) =>
      other.node.meta.name === node.meta.name &&
      Object.values(other.replica.spec.template.ask.fixedPorts ?? {}).some((port) =>
        ports.has(port),
      ),
  )?.replica;
}

/**
 * Whether this node satisfies all affinity of the replica. The first replica of a kind may begin a
 * place.
 */
export function hasCompany({ replica, node }: Placed, others: readonly Placed[]): boolean {
  return (replica.spec.template.affinity?.required ?? []).every((term) => {
    if (placeOf(node, term.by) === undefined) return false;
    // A node without the topology label is near no replica.
    const meant = others.filter(
      (other) =>
        isMeant(term, replica, other.replica) && placeOf(other.node, term.by) !== undefined,
    );
    if (meant.length === 0) return isMeant(term, replica, replica);
    return meant.some((other) => sharePlace(other.node, node, term.by));
  });
}

/** `open` are the nodes that fit the replica but for room; `siblings` those that have one each. */
export function keepsSkew(
  rule: Spread,
  target: Node,
  open: readonly Node[],
  siblings: readonly Node[],
): boolean {
  if (rule.soft === true) return true;
  const here = placeOf(target, rule.by);
  if (here === undefined) return false;
  // Only places that could take a replica count: a dead zone must not block the others for ever.
  const counts = new Map<string, number>();
  for (const node of open) {
    const place = placeOf(node, rule.by);
    if (place !== undefined) counts.set(place, 0);
  }
  for (const node of siblings) {
    const place = placeOf(node, rule.by);
    const count = place === undefined ? undefined : counts.get(place);
    if (place !== undefined && count !== undefined) counts.set(place, count + 1);
  }
  const least = Math.min(...counts.values());
  return (counts.get(here) ?? 0) + 1 - least <= rule.maxSkew;
}
