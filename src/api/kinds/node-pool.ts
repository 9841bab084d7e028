/** NodePool: where machines come from when work waits for nothing but room. */
import { showKind } from "./show-kind.ts";
import { nodePoolStatus, nodesOf, writeNodePoolStatus } from "./status/node-pool-status.ts";

export const nodePoolKind = showKind({
  kind: "NodePool",
  status: nodePoolStatus,
  showStatus: writeNodePoolStatus,
  columns: [
    "provisioner",
    {
      name: "Zone",
      type: "string",
      description: "The region and zone of its nodes.",
      cell: (pool) => `${pool.spec.region}/${pool.spec.zone}`,
    },
    {
      name: "Nodes",
      type: "integer",
      description: "The number of nodes that have joined.",
      cell: (pool, objects) => nodesOf(pool, objects).live,
    },
    {
      name: "Provisioning",
      type: "integer",
      description: "The number of provisioning nodes.",
      cell: (pool, objects) => nodesOf(pool, objects).provisioning,
    },
    "maxNodes",
    {
      name: "Failures",
      type: "integer",
      description: "The number of consecutive nodes that did not join.",
      cell: (pool) => pool.status.failures ?? 0,
    },
    {
      name: "Last failure",
      type: "string",
      description: "Why the last node did not join; empty after a node joins.",
      cell: (pool) => pool.status.failed?.reason ?? "",
    },
  ],
});
