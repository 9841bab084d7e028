/**
 * What the neighbour rules ask: how many replicas of a kind are in the place of a node, and who there keeps
 * others away. The answers are added up over several books, because a command that binds many is judged as if
 * its earlier bindings were already in the ledger's book.
 */
import type { AffinityTerm, Node, Replica, Topology } from "../../model/objects.ts";
import { domainOf } from "../../model/topology.ts";
import type { Neighbours, Selector } from "../../observe/neighbours.ts";

export class Neighbourhood {
  private readonly books: readonly Neighbours[];

  constructor(...books: readonly Neighbours[]) {
    this.books = books;
  }

  /** Replicas in the node's place; 0 when the node is in no place of that kind. */
  countAt(selector: Selector, node: Node): number {
    const domain = domainOf(node, selector.by);
    if (domain === undefined) return 0;
    let count = 0;
    for (const book of this.books) count += book.counts(selector).get(domain) ?? 0;
    return count;
  }

  /** Whether there are any at all, wherever they are. */
  isEmpty(selector: Selector): boolean {
    return this.books.every((book) => book.counts(selector).size === 0);
  }

  /** The topology in which somebody near this node keeps the replica away, if any. */
  guardAt(replica: Replica, node: Node): Topology | undefined {
    for (const book of this.books) {
      for (const { by, counts } of book.guardsAgainst(replica)) {
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
