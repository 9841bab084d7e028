/** What a capacity argument is asked: what is lost, what counts as room, and what must be there. */
import { parseKey, type ObjectKey } from "../../core/model/ids.ts";
import type { Node, Topology } from "../../core/model/objects.ts";
import { domainOf } from "../../core/model/topology.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import type { CapacityClass } from "../review.ts";

export interface CapacityQuestion {
  /** "node", "zone", "region", or the key of a label of nodes. */
  readonly lose: Topology;
  /** Only this one; left out: each in turn. */
  readonly which?: string;
  /** So many of them at once, in every combination; left out: one. */
  readonly anyOf?: number;
  readonly counted: CapacityClass;
  /** Only its replicas must find a place; left out: all that are lost. */
  readonly onlyWorkload?: ObjectKey;
  /** So many replicas of a workload must be placed afterwards, lost or not. */
  readonly serves?: ServesTerms;
  /** Room for so many more replicas of a workload must be left afterwards. */
  readonly spare?: { readonly workload: ObjectKey; readonly count: number };
  /** Combinations that are tried at most; left out: `SETS_MOST`. */
  readonly setsMost?: number;
}

export interface ServesTerms {
  readonly workload: ObjectKey;
  readonly replicas: number;
  /** Only in these regions; left out: anywhere. */
  readonly in?: readonly string[];
}

/** Nodes that are lost together. */
export interface Place {
  readonly name: string;
  readonly nodes: readonly string[];
}

/** In the order of their names. */
export function placesOf(
  objects: ObjectIndex,
  { lose, which }: Pick<CapacityQuestion, "lose" | "which">,
): readonly Place[] {
  const places = new Map<string, string[]>();
  for (const node of byName(objects.all("Node").values())) {
    const place = domainOf(node, lose);
    if (place === undefined || (which !== undefined && which !== place)) continue;
    const others = places.get(place);
    if (others === undefined) places.set(place, [node.meta.name]);
    else others.push(node.meta.name);
  }
  return [...places]
    .map(([name, nodes]) => ({ name, nodes }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

const byName = (nodes: Iterable<Node>): readonly Node[] =>
  [...nodes].toSorted((a, b) => (a.meta.name < b.meta.name ? -1 : 1));

/** e.g. "payments/risk-api" */
export function workloadText(key: ObjectKey): string {
  const { namespace, name } = parseKey(key);
  return `${namespace}/${name}`;
}
