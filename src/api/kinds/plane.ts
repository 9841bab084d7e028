/** Plane: which place the plane has among others, and for how long it may decide alone. */
import { Type } from "typebox";
import { choice, fields, text, time } from "../schema/shapes.ts";
import { rfc3339Millis } from "../rfc3339.ts";
import { defineKind } from "./define-kind.ts";

export const planeKind = defineKind({
  kind: "Plane",
  description:
    "The place of this plane among the planes of several regions. Written by the control plane.",
  spec: Type.Optional(fields("A plane has no spec.", {})),
  status: fields("What the plane is, and what it may do alone.", {
    role: choice("global: lends quota to regions. regional: uses what it was lent.", [
      "global",
      "regional",
    ]),
    region: Type.Optional(text("The region of a regional plane.")),
    incarnation: Type.Integer({ description: "Grows when its log is restored from a backup." }),
    global: Type.Optional(
      Type.Integer({ description: "The incarnation of the global plane that it obeys." }),
    ),
    learning: Type.Optional(
      Type.Boolean({ description: "It waits to hear what its agents run and takes no new work." }),
    ),
    termUntil: Type.Optional(
      time("Until when it may take new work without an answer of the global plane, by its clock."),
    ),
    ended: Type.Optional(
      Type.Boolean({ description: "The term is over: it repairs, and takes no new work." }),
    ),
  }),
  columns: [
    {
      name: "Role",
      type: "string",
      description: "global or regional.",
      cell: ({ status }) => status.role,
    },
    {
      name: "Region",
      type: "string",
      description: "The region of a regional plane.",
      cell: ({ status }) => (status.role === "regional" ? status.region : ""),
    },
    {
      name: "New work",
      type: "string",
      description: "Whether it takes new work, and until when without the global plane.",
      cell: ({ status }) => {
        if (status.role === "global") return "";
        if (status.learning !== undefined) return "no: learning what its agents run";
        if (status.ended === true) return "no: the term is over";
        const { term } = status;
        return term === undefined ? "no: no term yet" : `until ${rfc3339Millis(term.untilMs)}`;
      },
    },
    {
      name: "Incarnation",
      type: "integer",
      description: "Grows when its log is restored from a backup.",
      isWide: true,
      cell: ({ status }) => status.incarnation,
    },
  ],
  toApi: ({ status }) => {
    if (status.role === "global") {
      return { spec: {}, status: { role: status.role, incarnation: status.incarnation } };
    }
    const { role, region, incarnation, global, learning, term, ended } = status;
    return {
      spec: {},
      status: {
        role,
        region,
        incarnation,
        ...(global === undefined ? {} : { global }),
        ...(learning === undefined ? {} : { learning: true }),
        ...(term === undefined ? {} : { termUntil: rfc3339Millis(term.untilMs) }),
        ...(ended === undefined ? {} : { ended }),
      },
    };
  },
});
