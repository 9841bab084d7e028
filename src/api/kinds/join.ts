/** Join: which nodes a bootstrap token has let in. */
import { Type } from "typebox";
import { fields, text, time } from "../schema/shapes.ts";
import { rfc3339Millis } from "../rfc3339.ts";
import { defineKind } from "./define-kind.ts";

export const joinKind = defineKind({
  kind: "Join",
  description: "The nodes that a bootstrap token has let in. Written by the control plane.",
  spec: fields("The token.", { token: text("The beginning of its SHA-256.") }),
  status: fields("The uses of the token.", {
    uses: Type.Array(
      fields("One node.", {
        node: text("The name of the node."),
        uid: text("The uid that the node had."),
        key: text("The id of the public key of its agent."),
        at: time("When it was counted."),
      }),
      { description: "The nodes, in the order in which they came." },
    ),
  }),
  columns: [
    {
      name: "Nodes",
      type: "string",
      description: "The nodes that the token let in.",
      cell: ({ status }) => status.uses.map(({ node }) => node).join(","),
    },
  ],
  toApi: ({ spec, status }) => ({
    spec,
    status: {
      uses: status.uses.map(({ node, uid, keyId, atMs }) => ({
        node,
        uid,
        key: keyId,
        at: rfc3339Millis(atMs),
      })),
    },
  }),
});
