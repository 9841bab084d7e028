/** A fixed port is exclusive on a node: at most one replica there has its number (BD90). */
import type { Node, Replica } from "../../model/objects.ts";
import { NODES_FACT } from "../../observe/facts.ts";
import type { Misfit } from "./misfit.ts";
import type { NeighbourRule } from "./neighbour-rule.ts";
import type { Neighbourhood } from "./neighbourhood.ts";

export const fixedPorts: NeighbourRule = {
  name: "fixed-port",
  wakes: [NODES_FACT],
  check(node: Node, replica: Replica, neighbours: Neighbourhood): Misfit | undefined {
    const ports = replica.spec.template.ask.fixedPorts;
    if (ports === undefined) return undefined;
    for (const port of Object.values(ports)) {
      const count = neighbours.countAt({ by: "node", of: { kind: "port", port } }, node);
      if (count === 0) continue;
      return {
        code: "port-taken",
        node: node.key,
        what: `port ${port}`,
        expected: "no replica with this fixed port",
        actual: count,
      };
    }
    return undefined;
  },
};
