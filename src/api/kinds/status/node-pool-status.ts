/** What a node pool has and how its last requests went, as it is shown. */
import { Type } from "typebox";
import { isExpected } from "../../../core/model/node/node-pool.ts";
import type { NodePool } from "../../../core/model/objects.ts";
import type { ObjectIndex } from "../../../core/observe/object-index.ts";
import { rfc3339Millis } from "../../rfc3339.ts";
import { fields, text, time } from "../../schema/shapes.ts";

export const nodePoolStatus = fields("What there is of it, and how the last requests went.", {
  nodes: Type.Integer({ description: "How many of its nodes have come." }),
  expected: Type.Integer({ description: "How many were asked for and have not come." }),
  retiring: Type.Integer({ description: "How many are being given back." }),
  asked: Type.Integer({ description: "The number of the last node that was asked for." }),
  failures: Type.Integer({ description: "How many nodes in a row did not come." }),
  lastFailure: Type.Optional(
    fields("The last node that did not come.", {
      at: time("When that was known."),
      reason: text("Why."),
    }),
  ),
});

interface PoolNodes {
  readonly live: number;
  readonly expected: number;
  readonly retiring: number;
}

export function nodesOf({ meta }: NodePool, objects: ObjectIndex): PoolNodes {
  const own = [...objects.all("Node").values()].filter(({ spec }) => spec.pool === meta.name);
  const expected = own.filter(isExpected).length;
  const retiring = own.filter(({ status }) => status.provision?.retiring !== undefined).length;
  return { live: own.length - expected, expected, retiring };
}

export function writeNodePoolStatus(pool: NodePool, objects: ObjectIndex) {
  const { asked = 0, failures = 0, failed } = pool.status;
  const { live, expected, retiring } = nodesOf(pool, objects);
  return {
    nodes: live,
    expected,
    retiring,
    asked,
    failures,
    ...(failed === undefined
      ? {}
      : { lastFailure: { at: rfc3339Millis(failed.atMs), reason: failed.reason } }),
  };
}
