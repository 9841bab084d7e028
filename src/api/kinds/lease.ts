/** Lease: how long a node's agent may go on without hearing from the control plane. */
import { Type } from "typebox";
import { fields, text, time } from "../schema/shapes.ts";
import { rfc3339Millis } from "../rfc3339.ts";
import { defineKind } from "./define-kind.ts";

export const leaseKind = defineKind({
  kind: "Lease",
  description:
    "The latest renewal of a node's right to run processes. Written by the control plane.",
  spec: fields("The node of the lease.", { node: text("The name of the node.") }),
  status: fields("The latest renewal.", {
    session: Type.Integer({ description: "The session of the agent that sent it." }),
    sequence: Type.Integer({ description: "The sequence number of the renewal in that session." }),
    renewedAt: time("When it was committed, by the clock of that epoch's leader."),
    epoch: Type.Integer({ description: "The epoch of the leader that committed it." }),
  }),
  columns: [
    {
      name: "Session",
      type: "integer",
      description: "The session of the agent.",
      cell: ({ status }) => status.session,
    },
    {
      name: "Renewed",
      type: "date",
      description: "Time since the latest renewal.",
      cell: ({ status }) => status.renewedMs,
    },
    {
      name: "Sequence",
      type: "integer",
      description: "The sequence number of the latest renewal in the session.",
      isWide: true,
      cell: ({ status }) => status.seq,
    },
    {
      name: "Epoch",
      type: "integer",
      description: "The epoch of the leader that committed it.",
      isWide: true,
      cell: ({ status }) => status.epoch,
    },
  ],
  selectableFields: { "spec.node": ({ spec }) => spec.node },
  toApi: ({ spec, status }) => ({
    spec: { node: spec.node },
    status: {
      session: status.session,
      sequence: status.seq,
      renewedAt: rfc3339Millis(status.renewedMs),
      epoch: status.epoch,
    },
  }),
});
