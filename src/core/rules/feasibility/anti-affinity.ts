/**
 * Who must be kept apart does not share a place (BD13). It holds both ways: what is there already
 * may keep the newcomer away as much as the newcomer may ask to be away from it.
 */
import type { Labels, Node, Replica } from "../../model/objects.ts";
import { NODES_FACT } from "../../observe/facts.ts";
import type { Misfit } from "./misfit.ts";
import type { NeighbourRule } from "./neighbour-rule.ts";
import { type Neighbourhood, selectorOf } from "./neighbourhood.ts";

export const antiAffinity: NeighbourRule = {
  name: "anti-affinity",
  wakes: [NODES_FACT],
  check(node: Node, replica: Replica, neighbours: Neighbourhood): Misfit | undefined {
    for (const term of replica.spec.template.affinity?.antiRequired ?? []) {
      const count = neighbours.countAt(selectorOf(term, replica.meta.namespace), node);
      if (count > 0) {
        return misfit(node, term.by, `none with ${labelsText(term.labels)}`, `${count}`);
      }
    }
    const guard = neighbours.guardAt(replica, node);
    if (guard === undefined) return undefined;
    return misfit(node, guard, "no replica that repels it", "a replica repels it");
  },
};

const misfit = (node: Node, by: string, expected: string, actual: string): Misfit => ({
  code: "kept-apart",
  node: node.key,
  what: by,
  expected,
  actual,
});

/** e.g. "app=db,tier=1" */
export const labelsText = (labels: Labels): string =>
  Object.entries(labels)
    .map(([label, value]) => `${label}=${value}`)
    .toSorted()
    .join(",");
