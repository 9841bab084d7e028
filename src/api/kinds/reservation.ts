/**
 * Reservation: quota, or room on a node, held for one incarnation of one replica until it is bound.
 */
import { roomOf } from "../../core/model/reservation.ts";
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

const writeRoom = ({ node, deviceIds }: Room) => ({
  node,
  ...(deviceIds.length === 0 ? {} : { devices: [...deviceIds] }),
});

export const reservationKind = defineKind({
  kind: "Reservation",
  description: "Quota, or room on a node, reserved for a replica. Written by the control plane.",
  spec: fields("The reserved amount and its owner.", {
    for: choice(
      "quota: quota for a replica. preemptor: the room of preempted replicas. recovery: room of the recovery reserve.",
      ["quota", "preemptor", "recovery"],
    ),
    replica: text(
      "The name of the replica it is reserved for; for recovery, the name of the workload.",
    ),
    replicaUid: text("The uid of that replica or workload."),
    incarnation: Type.Integer({
      description: "The incarnation of that replica; for recovery, the number of the reservation.",
    }),
    amounts: shownAmounts("The reserved amount."),
    deadline: time("When the plane checks it again."),
    room: Type.Optional(
      fields("Set if it reserves room on a node instead of quota.", {
        node: text("The node."),
        devices: Type.Optional(
          Type.Array(Type.String(), { description: "The ids of the reserved devices." }),
        ),
      }),
    ),
  }),
  columns: [
    {
      name: "For",
      type: "string",
      description: "What is reserved: quota, room for a preemptor, or room for recovery.",
      cell: ({ spec }) => spec.for,
    },
    {
      name: "Replica",
      type: "string",
      description: "The replica it is reserved for.",
      cell: ({ spec }) => parseKey(spec.owner).name,
    },
    {
      name: "Incarnation",
      type: "integer",
      description: "The incarnation of that replica.",
      cell: ({ spec }) => spec.incarnation,
    },
    {
      name: "Room On",
      type: "string",
      description: "The node whose room is reserved; empty for quota.",
      cell: ({ spec }) => roomOf(spec)?.node ?? "",
    },
    {
      name: "CPU",
      type: "string",
      description: "Reserved CPUs.",
      cell: ({ spec }) => cpuText(spec.amounts.cpuMillis),
    },
    {
      name: "Memory",
      type: "string",
      description: "Reserved memory.",
      cell: ({ spec }) => memoryText(spec.amounts.memoryMiB),
    },
    {
      name: "Devices",
      type: "string",
      description: "Reserved devices.",
      cell: ({ spec }) => String(deviceText(spec.amounts.deviceMillis)),
    },
  ],
  selectableFields: { "spec.replica": ({ spec }) => parseKey(spec.owner).name },
  toApi: ({ spec }) => ({
    spec: {
      for: spec.for,
      replica: parseKey(spec.owner).name,
      replicaUid: spec.ownerUid,
      incarnation: spec.incarnation,
      amounts: writeAmounts(spec.amounts),
      deadline: rfc3339Millis(spec.deadlineMs),
      ...(spec.for === "quota" ? {} : { room: writeRoom(spec.room) }),
    },
    status: undefined,
  }),
});
