/**
 * What a replica's neighbours say about a place, as rules over counts: spreading, caps, affinity
 * and anti-affinity. Each rule speaks of one topology, so whole places can be ruled in or out at
 * once and only rules about single nodes have to be asked node by node.
 */
import type {
  Affinity,
  AffinityTerm,
  Replica,
  Spread,
  Topology,
  WeightedTerm,
} from "../../model/objects.ts";
import { workloadOf } from "../../model/workload-of.ts";
import { type DomainCounts, hasLabels, type Neighbours } from "../../observe/neighbours.ts";
import { selectorOf } from "../feasibility/neighbourhood.ts";

/** A point of weight weighs as much as one per cent of a node's room. */
const POINTS_PER_WEIGHT = 10;

/** Being one replica ahead of the emptiest place outweighs a tenth of a node's room. */
const POINTS_PER_SKEW = 100;

export const SPREAD_RULE = "spread";
export const AFFINITY_RULE = "affinity";
export const FIXED_PORT_RULE = "fixed-port";

export interface FixedPort {
  readonly name: string;
  readonly port: number;
}

export interface NeighbourRule {
  /** What a person is told: "spread", "affinity", "anti-affinity", "max-per-node", "fixed-port". */
  readonly name: string;
  readonly by: Topology;
  readonly counts: DomainCounts;
  /** Of a rule about a port: its name in the template, and its number. */
  readonly port?: FixedPort;
  /**
   * What it looks at beside the place itself, which every replica that is placed may change for all
   * places: how many the emptiest has, or whether there is any at all.
   */
  readonly looksAt: "place" | "fewest" | "whether-any";
  /**
   * Undefined is a node that is in no place of this kind. `nowMs` is the time of the look, for
   * rules about whole places that end by themselves.
   */
  forbids(domain: string | undefined, fewest: number, nowMs?: number): boolean;
  points(domain: string | undefined, fewest: number): number;
}

/** `spread` is the replica's own, or what the policy in force says for those that have none. */
export function neighbourRules(
  replica: Replica,
  neighbours: Neighbours,
  spread: readonly Spread[],
): readonly NeighbourRule[] {
  const { affinity, ask, maxPerNode } = replica.spec.template;
  const { workloadUid, generation } = replica.spec;
  const of = { kind: "siblings", workload: workloadOf(replica), workloadUid, generation } as const;
  const siblings = (by: Topology): DomainCounts => neighbours.counts({ by, of });
  const rules: NeighbourRule[] = spread.map(({ by, maxSkew, soft }) =>
    spreadRule(by, siblings(by), soft === true ? Number.POSITIVE_INFINITY : maxSkew),
  );
  if (maxPerNode !== undefined) rules.push(capRule(siblings("node"), maxPerNode));
  for (const [name, port] of Object.entries(ask.fixedPorts ?? {})) {
    const counts = neighbours.counts({ by: "node", of: { kind: "port", port } });
    rules.push(portRule(counts, { name, port }));
  }
  if (affinity !== undefined) rules.push(...affinityRules(replica, affinity, neighbours));
  for (const { by, counts } of neighbours.guardsAgainst(replica)) rules.push(antiRule(by, counts));
  return rules;
}

function affinityRules(
  replica: Replica,
  affinity: Affinity,
  neighbours: Neighbours,
): readonly NeighbourRule[] {
  const { namespace, labels } = replica.meta;
  const counts = (term: AffinityTerm): DomainCounts =>
    neighbours.counts(selectorOf(term, namespace));
  const isOwn = (term: AffinityTerm): boolean =>
    (term.tenants ?? [namespace]).includes(namespace) && hasLabels(labels, term.labels);
  return [
    ...affinity.required.map((term) => nearRule(term.by, counts(term), isOwn(term))),
    ...affinity.antiRequired.map((term) => antiRule(term.by, counts(term))),
    ...affinity.preferred.map((term) => preference(term, counts(term), 1)),
    ...affinity.antiPreferred.map((term) => preference(term, counts(term), -1)),
  ];
}

const spreadRule = (by: Topology, counts: DomainCounts, maxSkew: number): NeighbourRule => ({
  name: SPREAD_RULE,
  by,
  counts,
  looksAt: "fewest",
  forbids(domain, fewest) {
    if (maxSkew === Number.POSITIVE_INFINITY) return false;
    return domain === undefined || (counts.get(domain) ?? 0) + 1 - fewest > maxSkew;
  },
  points: (domain, fewest) =>
    domain === undefined ? 0 : (fewest - (counts.get(domain) ?? 0)) * POINTS_PER_SKEW,
});

const capRule = (counts: DomainCounts, most: number): NeighbourRule => ({
  name: "max-per-node",
  by: "node",
  counts,
  looksAt: "place",
  forbids: (domain) => domain !== undefined && (counts.get(domain) ?? 0) >= most,
  points: () => 0,
});

const portRule = (counts: DomainCounts, port: FixedPort): NeighbourRule => ({
  ...antiRule("node", counts),
  name: FIXED_PORT_RULE,
  port,
});

/**
 * The first of its kind has no match to be near; it may start a place when it is itself what is
 * sought.
 */
const nearRule = (by: Topology, counts: DomainCounts, isOwn: boolean): NeighbourRule => ({
  name: AFFINITY_RULE,
  by,
  counts,
  looksAt: "whether-any",
  forbids: (domain) =>
    domain === undefined || !((counts.get(domain) ?? 0) > 0 || (isOwn && counts.size === 0)),
  points: () => 0,
});

const antiRule = (by: Topology, counts: DomainCounts): NeighbourRule => ({
  name: "anti-affinity",
  by,
  counts,
  looksAt: "place",
  forbids: (domain) => domain !== undefined && (counts.get(domain) ?? 0) > 0,
  points: () => 0,
});

const preference = (term: WeightedTerm, counts: DomainCounts, sign: 1 | -1): NeighbourRule => ({
  name: AFFINITY_RULE,
  by: term.by,
  counts,
  looksAt: "place",
  forbids: () => false,
  points: (domain) =>
    domain !== undefined && (counts.get(domain) ?? 0) > 0
      ? sign * term.weight * POINTS_PER_WEIGHT
      : 0,
});
