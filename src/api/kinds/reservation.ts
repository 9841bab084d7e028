/** Reservation: quota, or room on a node, held for one life of one replica until it is bound. */
import { Type } from "typebox";
import { parseKey } from "../../core/model/ids.ts";
import type { Room } from "../../core/model/room.ts";
import { rfc3339Millis } from "../rfc3339.ts";
import { choice, fields, text, time } from "../schema/shapes.ts";
import {
  cpuText,
  deviceText,
  memoryText,
  shownAmounts,
  writeAmounts,
} from "./text/amounts-text.ts";
import { defineKind } from "./define-kind.ts";

const writeRoom = ({ node, deviceIds, purpose }: Room) => ({
  node,
  ...(deviceIds.length === 0 ? {} : { devices: [...deviceIds] }),
  ...(purpose === undefined ? {} : { purpose }),
});

export const reservationKind = defineKind({
  kind: "Reservation",
  description:
    "Quota, or room on a node, held for a replica on its way there. Written by the control plane.",
  spec: fields("What is held, and for whom.", {
    replica: text(
      "The name of the replica it is held for; of the workload when it is for recovery.",
    ),
    replicaUid: text("The uid of that replica or workload."),
    life: Type.Integer({
      description: "The life of that replica it is held for; for recovery the number of the hold.",
    }),
    amounts: shownAmounts("How much is held."),
    deadline: time("When it is looked at again, if it is still held."),
    room: Type.Optional(
      fields("Set when it holds room on a node and no quota.", {
        node: text("The node."),
        devices: Type.Optional(
          Type.Array(Type.String(), { description: "The ids of the devices that are held." }),
        ),
        purpose: Type.Optional(
          choice(
            "Set when it is kept for what a workload may lose; left out: made by preemption.",
            ["recovery"],
          ),
        ),
      }),
    ),
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
      name: "Room On",
      type: "string",
      description: "The node whose room is held; empty when it is quota.",
      cell: ({ spec }) => spec.room?.node ?? "",
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
      type: "string",
      description: "Devices held.",
      cell: ({ spec }) => String(deviceText(spec.amounts.deviceMillis)),
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
      ...(spec.room === undefined ? {} : { room: writeRoom(spec.room) }),
    },
    status: undefined,
  }),
});
