/** What a node pool has and how its last requests went, as it is shown. */
import { Type } from "typebox";
import { isProvisioning } from "../../../core/model/node/node-pool.ts";
import type { NodePool } from "../../../core/model/objects.ts";
import type { ObjectIndex } from "../../../core/observe/object-index.ts";
import { rfc3339Millis } from "../../rfc3339.ts";
import { fields, text, time } from "../../schema/shapes.ts";

export const nodePoolStatus = fields(
  "The nodes of the pool, and the result of the last requests.",
  {
    nodes: Type.Integer({ description: "The number of nodes that have joined." }),
    provisioning: Type.Integer({ description: "The number of provisioning nodes." }),
    scalingDown: Type.Integer({ description: "The number of nodes being scaled down." }),
    asked: Type.Integer({ description: "The number of the last requested node." }),
    failures: Type.Integer({ description: "The number of consecutive nodes that did not join." }),
    lastFailure: Type.Optional(
      fields("The last node that did not join.", {
        at: time("When it failed."),
        reason: text("Why."),
      }),
    ),
  },
);

interface PoolNodes {
  readonly live: number;
  readonly provisioning: number;
  readonly scalingDown: number;
}

export function nodesOf({ meta }: NodePool, objects: ObjectIndex): PoolNodes {
  const own = [...objects.all("Node").values()].filter(({ spec }) => spec.pool === meta.name);
  const provisioning = own.filter(isProvisioning).length;
  const scalingDown = own.filter(
    ({ status }) => status.provision?.scalingDown !== undefined,
  ).length;
  return { live: own.length - provisioning, provisioning, scalingDown };
}

export function writeNodePoolStatus(pool: NodePool, objects: ObjectIndex) {
  const { asked = 0, failures = 0, failed } = pool.status;
  const { live, provisioning, scalingDown } = nodesOf(pool, objects);
  return {
    nodes: live,
    provisioning,
    scalingDown,
    asked,
    failures,
    ...(failed === undefined
      ? {}
      : { lastFailure: { at: rfc3339Millis(failed.atMs), reason: failed.reason } }),
  };
}
