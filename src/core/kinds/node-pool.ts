/** NodePool: machines that can be asked for. */
import { nodesOfPool } from "../observe/pool-nodes.ts";
import type { WrittenDefinition } from "./kind-definition.ts";
import { stillInUse } from "./still-in-use.ts";
import { malformedNodePool } from "./well-formed/malformed-node-pool.ts";

export const nodePoolDefinition: WrittenDefinition<"NodePool"> = {
  kind: "NodePool",
  plural: "nodepools",
  shortNames: ["np"],
  scope: "cluster",
  writer: "people",
  deletedBy: "user",
  isMeasured: true,
  applyStep: 70,
  malformed: malformedNodePool,
  stillUsed: (objects, { key, meta }) => stillInUse(key, nodesOfPool(objects, meta.name)[0]?.key),
};
