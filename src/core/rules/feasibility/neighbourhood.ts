/**
 * What the neighbour rules ask: how many replicas of a kind are in the place of a node, and who
 * there keeps others away. The answers are added up over several parts, because a command that
 * binds many is checked as if its earlier bindings were already in the ledger's part.
 */
import type { AffinityTerm, Node, Replica, Topology } from "../../model/objects.ts";
import { domainOf } from "../../model/topology.ts";
import type { Neighbours, Selector } from "../../observe/neighbours.ts";

export class Neighbourhood {
  private readonly parts: readonly Neighbours[];

  constructor(...parts: readonly Neighbours[]) {
    this.parts = parts;
  }

  /** Replicas in the node's place; 0 when the node is in no place of that kind. */
  countAt(selector: Selector, node: Node): number {
    const domain = domainOf(node, selector.by);
    if (domain === undefined) return 0;
    let count = 0;
    for (const part of this.parts) count += part.counts(selector).get(domain) ?? 0;
    return count;
  }

  /** Whether there are any at all, wherever they are. */
  isEmpty(selector: Selector): boolean {
    return this.parts.every((part) => part.counts(selector).size === 0);
  }

  /** The topology in which somebody near this node keeps the replica away, if any. */
  guardAt(replica: Replica, node: Node): Topology | undefined {
    for (const part of this.parts) {
      for (const { by, counts } of part.guardsAgainst(replica)) {
        const domain = domainOf(node, by);
        if (domain !== undefined && (counts.get(domain) ?? 0) > 0) return by;
      }
    }
    return undefined;
  }
}

/** The replicas that a term of this replica speaks of. */
export const selectorOf = (term: AffinityTerm, tenant: string): Selector => ({
  by: term.by,
  of: { kind: "labels", tenants: term.tenants ?? [tenant], labels: term.labels },
});
