/** Reservation: quota held for one life of one replica until it is bound. */
import { Type } from "typebox";
import { parseKey } from "../../core/model/ids.ts";
import { rfc3339Millis } from "../rfc3339.ts";
import { fields, text, time } from "../schema/shapes.ts";
import { cpuText, memoryText, shownAmounts, writeAmounts } from "./amounts-text.ts";
import { defineKind } from "./define-kind.ts";

export const reservationKind = defineKind({
  kind: "Reservation",
  plural: "reservations",
  isNamespaced: true,
  description: "Quota held for a replica on its way to a node. Written by the control plane.",
  spec: fields("What is held, and for whom.", {
    replica: text("The name of the replica it is held for."),
    replicaUid: text("The uid of that replica."),
    life: Type.Integer({ description: "The life of that replica it is held for." }),
    amounts: shownAmounts("How much is held."),
    deadline: time("When it is looked at again, if it is still held."),
  }),
  columns: [
    {
      name: "Replica",
      type: "string",
      description: "The replica it is held for.",
      cell: ({ spec }) => parseKey(spec.owner).name,
    },
    {
      name: "Life",
      type: "integer",
      description: "The life of that replica it is held for.",
      cell: ({ spec }) => spec.life,
    },
    {
      name: "CPU",
      type: "string",
      description: "CPUs held.",
      cell: ({ spec }) => cpuText(spec.amounts.cpuMillis),
    },
    {
      name: "Memory",
      type: "string",
      description: "Memory held.",
      cell: ({ spec }) => memoryText(spec.amounts.memoryMiB),
    },
    {
      name: "Devices",
      type: "integer",
      description: "Devices held.",
      cell: ({ spec }) => spec.amounts.devices,
    },
  ],
  selectableFields: { "spec.replica": ({ spec }) => parseKey(spec.owner).name },
  toApi: ({ spec }) => ({
    spec: {
      replica: parseKey(spec.owner).name,
      replicaUid: spec.ownerUid,
      life: spec.life,
      amounts: writeAmounts(spec.amounts),
      deadline: rfc3339Millis(spec.deadlineMs),
    },
    status: undefined,
  }),
});
