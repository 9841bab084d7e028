/**
 * A plane with the pool `burst` and one full node: `payments/api` asks for 600 milli-CPU each, `a-1` has room for one, a node
 * of the pool for one. So the second replica waits for room and for nothing else.
 */
import type { Outcome } from "../../src/core/protocol/outcome.ts";
import { nodeKey } from "../../src/core/model/ids.ts";
import {
  nodePoolKey,
  type NodePoolSpec,
  type Provision,
} from "../../src/core/model/node/node-pool.ts";
import type { Node, NodePool } from "../../src/core/model/objects.ts";
import { Plane, putting, WORKLOAD } from "./a-plane.ts";
import type { WorkloadSpecParts } from "./a-workload.ts";

export const POOL = nodePoolKey("burst");

export const aNodePoolSpec = (of: Partial<NodePoolSpec> = {}): NodePoolSpec => ({
  region: "eu",
  zone: "eu-a",
  capacity: { cpuMillis: 1_000, memoryMiB: 1_000, deviceMillis: 0 },
  provisioner: "cloud",
  maxNodes: 4,
  pace: { nodes: 4, periodMs: 60_000 },
  pendingForMs: 10_000,
  readyWithinMs: 30_000,
  idleAfterMs: 20_000,
  ...of,
});

export class PooledPlane extends Plane {
  pool(of: Partial<NodePoolSpec> = {}, name = "burst"): Outcome {
    return this.send(putting(nodePoolKey(name), { kind: "NodePool", spec: aNodePoolSpec(of) }));
  }

  get held(): NodePool {
    return this.get(POOL) as NodePool;
  }

  provision(node = "burst-1", of: { pool?: string; workload?: typeof WORKLOAD } = {}): Outcome {
    const { pool = "burst", workload = WORKLOAD } = of;
    return this.send({ kind: "provision", pool, node, workload });
  }

  /** After as long as somebody must have waited. */
  provisioned(node = "burst-1"): Node {
    this.nowMs += 10_000;
    const outcome = this.provision(node);
    if (outcome.kind !== "committed") throw new Error(JSON.stringify(outcome));
    return this.node(node);
  }

  /** Its agent speaks. */
  arrived(node = "burst-1"): Node {
    this.renew({ node });
    return this.node(node);
  }

  say(outcome: "asked" | "gone" | { readonly failed: string }, node = "burst-1"): Outcome {
    return this.send({ kind: "provisioned", node, outcome });
  }

  giveUp(node = "burst-1"): Outcome {
    const evidence = { kind: "provision-over", node } as const;
    return this.send({ kind: "expire", key: nodeKey(node), incarnation: 0, evidence });
  }

  scaleDown(node = "burst-1"): Outcome {
    return this.send({ kind: "scale-down", node });
  }

  known(node = "burst-1"): Provision {
    return this.node(node).status.provision!;
  }
}

/** `waiting` of the replicas are in the queue, beside the one that fills `a-1`. */
export function aPooledPlane(
  of: Partial<NodePoolSpec> = {},
  { waiting = 1, desired = {} }: { waiting?: number; desired?: WorkloadSpecParts } = {},
): PooledPlane {
  const plane = new PooledPlane();
  plane.tenant({ cpuMillis: 100_000, memoryMiB: 100_000 });
  plane.joined("a-1");
  plane.putDesired({ cpuMillis: 600, memoryMiB: 10, replicas: waiting + 1, ...desired });
  if (desired.replicas !== 0) plane.serving({ index: 0 });
  plane.pool(of);
  for (let index = 1; index <= waiting; index += 1) plane.queued(index);
  return plane;
}
