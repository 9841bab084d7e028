/**
 * The nodes that pools may still add, as if they were there: soft room that no plane can promise.
 * Paces and failed provisioners are left out: they say when, and not how many.
 */
import { nodeKey } from "../model/ids.ts";
import { poolNodeSpec } from "../model/node/node-pool.ts";
import type { Node, NodePool } from "../model/objects.ts";
import type { ObjectIndex } from "../observe/object-index.ts";
import { defaultRules } from "../observe/policy-in-force.ts";
import {
  driversOfPool,
  nextPoolNumber,
  nodesOfPool,
  poolNodeName,
  poolNodesIn,
} from "../observe/pool-nodes.ts";
import { asIfThere } from "../rules/provision/pool-need.ts";
import type { LossWorld } from "./loss-world.ts";

/** Of each pool at most `most`; the answer is the pool of each node by the node's name. */
export function addPoolNodes(world: LossWorld, most: number): ReadonlyMap<string, string> {
  const { objects } = world;
  const added = new Map<string, string>();
  const pools = [...objects.all("NodePool").values()].toSorted((a, b) => (a.key < b.key ? -1 : 1));
  for (const pool of pools) {
    const count = Math.min(most, mayAdd(objects, pool));
    for (let at = 0; at < count; at += 1) {
      const node = poolNode(objects, pool);
      world.put(node.key, node);
      added.set(node.meta.name, pool.meta.name);
    }
  }
  return added;
}

/** Within its own bound and that of its region (PN3). */
function mayAdd(objects: ObjectIndex, { meta, spec }: NodePool): number {
  const own = spec.maxNodes - nodesOfPool(objects, meta.name).length;
  const region = defaultRules(objects, spec.region).provisioning?.maxNodes;
  if (region === undefined) return Math.max(0, own);
  return Math.max(0, Math.min(own, region - poolNodesIn(objects, spec.region).length));
}

function poolNode(objects: ObjectIndex, pool: NodePool): Node {
  const name = poolNodeName(pool.meta.name, nextPoolNumber(objects, pool));
  const drivers = driversOfPool(objects, pool.meta.name);
  return asIfThere({
    kind: "Node",
    key: nodeKey(name),
    meta: {
      ...pool.meta,
      namespace: "",
      name,
      uid: name as Node["meta"]["uid"],
      labels: pool.spec.labels ?? {},
      finalizers: [],
    },
    spec: poolNodeSpec(pool),
    status: {
      health: "ready",
      healthSinceMs: 0,
      session: 0,
      evidence: undefined,
      ...(drivers === undefined ? {} : { drivers }),
    },
  });
}
