/** A workload with a cap has no more of its replicas on one node than that (BD12). */
import type { Node, Replica } from "../../model/objects.ts";
import { workloadOf } from "../../model/workload-of.ts";
import { NODES_FACT } from "../../observe/facts.ts";
import type { Misfit } from "./misfit.ts";
import type { NeighbourRule } from "./neighbour-rule.ts";
import type { Neighbourhood } from "./neighbourhood.ts";

export const maxPerNode: NeighbourRule = {
  name: "max-per-node",
  wakes: [NODES_FACT],
  check(node: Node, replica: Replica, neighbours: Neighbourhood): Misfit | undefined {
    const most = replica.spec.template.maxPerNode;
    if (most === undefined) return undefined;
    const { workloadUid, generation } = replica.spec;
    const of = {
      kind: "siblings",
      workload: workloadOf(replica),
      workloadUid,
      generation,
    } as const;
    const count = neighbours.countAt({ by: "node", of }, node);
    if (count < most) return undefined;
    return {
      code: "too-many-on-node",
      node: node.key,
      what: "replicas of the workload",
      expected: `fewer than ${most}`,
      actual: count,
    };
  },
};
