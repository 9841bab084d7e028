/** Grant: what a region was lent of a tenant's quota, and what it may hold of it. */
import { Type } from "typebox";
import { NOTHING } from "../../core/model/amounts.ts";
import type { Grant } from "../../core/model/objects.ts";
import { exposureOf } from "../../core/model/regional/exposure.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import { chargedOf, heldOf } from "../../core/rules/regional/held.ts";
import { choice, fields, text } from "../schema/shapes.ts";
import { cpuText, memoryText, shownAmounts, writeAmounts } from "./text/amounts-text.ts";
import { defineKind } from "./define-kind.ts";

/** The most that the tenant may hold in the region, as far as this plane knows. */
const held = (grant: Grant, objects: ObjectIndex) =>
  grant.spec.side === "accepted" ? heldOf(objects, grant.meta.namespace) : exposureOf(grant);

const used = ({ meta, spec, status }: Grant, objects: ObjectIndex) =>
  spec.side === "lent" ? (status.demand?.charged ?? NOTHING) : chargedOf(objects, meta.namespace);

const status = fields("What the region may hold and uses.", {
  held: shownAmounts(
    "The most that the tenant may hold there: what was lent, what is unconfirmed, and what is in use beyond it.",
  ),
  used: shownAmounts("What its queued and bound replicas use there, as last reported."),
  waiting: Type.Optional(shownAmounts("What its replicas wait for there, as last reported.")),
  reportedVersion: Type.Optional(
    Type.Integer({ description: "The version that the region last reported." }),
  ),
  unconfirmed: Type.Optional(
    Type.Array(Type.Integer(), { description: "Versions that the region has not reported." }),
  ),
});

export const grantKind = defineKind({
  kind: "Grant",
  description:
    "What a region with a plane of its own was lent of a tenant's quota. Written by the control plane.",
  spec: fields("The newest version of the grant.", {
    region: text("The region that may use it."),
    side: choice("lent: at the global plane. accepted: in the region.", ["lent", "accepted"]),
    incarnation: Type.Integer({ description: "The incarnation of the region's plane." }),
    version: Type.Integer({ description: "Grows with every change of the amounts." }),
    amounts: shownAmounts("What was lent."),
  }),
  status,
  columns: [
    {
      name: "Region",
      type: "string",
      description: "The region that may use it.",
      cell: ({ spec }) => spec.region,
    },
    {
      name: "CPU",
      type: "string",
      description: "CPUs in use, of those lent.",
      cell: (grant, objects) =>
        `${cpuText(used(grant, objects).cpuMillis)}/${cpuText(grant.spec.amounts.cpuMillis)}`,
    },
    {
      name: "Memory",
      type: "string",
      description: "Memory in use, of that lent.",
      cell: (grant, objects) =>
        `${memoryText(used(grant, objects).memoryMiB)}/${memoryText(grant.spec.amounts.memoryMiB)}`,
    },
    {
      name: "Held",
      type: "string",
      description: "The most that the tenant may hold there, as CPUs and memory.",
      cell: (grant, objects) => {
        const { cpuMillis, memoryMiB } = held(grant, objects);
        return `${cpuText(cpuMillis)} cpu, ${memoryText(memoryMiB)}`;
      },
    },
    {
      name: "Version",
      type: "string",
      description: "The version of the grant, and that which the region has reported.",
      isWide: true,
      cell: ({ spec, status: { reported } }) =>
        spec.side === "accepted" || reported === spec.version
          ? `${spec.version}`
          : `${spec.version} (reported ${reported ?? "none"})`,
    },
  ],
  selectableFields: { "spec.region": ({ spec }) => spec.region },
  toApi: (grant, objects) => {
    const { region, side, incarnation, version, amounts } = grant.spec;
    const { reported, demand, pending = [] } = grant.status;
    return {
      spec: { region, side, incarnation, version, amounts: writeAmounts(amounts) },
      status: {
        held: writeAmounts(held(grant, objects)),
        used: writeAmounts(used(grant, objects)),
        ...(demand === undefined ? {} : { waiting: writeAmounts(demand.waiting) }),
        ...(reported === undefined ? {} : { reportedVersion: reported }),
        ...(pending.length === 0 ? {} : { unconfirmed: pending.map(({ version: each }) => each) }),
      },
    };
  },
});
