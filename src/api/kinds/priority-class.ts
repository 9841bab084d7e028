/** PriorityClass: whose work yields to whose. */
import { Type } from "typebox";
import { HIGHEST_VALUE } from "../../core/model/preemption.ts";
import { choice, fields, flag, text, wholeNumber } from "../schema/shapes.ts";
import { defineKind } from "./define-kind.ts";

const spec = fields("How important work of this class is.", {
  value: wholeNumber("Work of a higher value goes first. Work without a class comes last.", {
    from: -HIGHEST_VALUE,
    to: HIGHEST_VALUE,
  }),
  preempts: Type.Optional(
    choice(
      "Whether its work may preempt running work of a lower value, or only goes first in the queue.",
      ["lower", "never"],
      "lower",
    ),
  ),
  band: Type.Optional(text("Classes of the same band never preempt each other.")),
  preemptible: Type.Optional(flag("Whether work of a higher value may preempt its work.", true)),
});

export const priorityClassKind = defineKind({
  kind: "PriorityClass",
  description: "A named priority, and which work it may preempt.",
  spec,
  columns: [
    {
      name: "Value",
      type: "integer",
      description: "Work of a higher value goes first.",
      cell: (priorityClass) => priorityClass.spec.value,
    },
    {
      name: "Preempts",
      type: "string",
      description: "Whether its work preempts work of a lower value.",
      cell: (priorityClass) => priorityClass.spec.preempts ?? "lower",
    },
    {
      name: "Band",
      type: "string",
      description: "Classes of the same band never preempt each other.",
      cell: (priorityClass) => priorityClass.spec.band ?? "",
    },
    {
      name: "Preemptible",
      type: "string",
      description: "Whether its work may be preempted.",
      isWide: true,
      cell: (priorityClass) => String(priorityClass.spec.preemptible ?? true),
    },
  ],
  toApi: ({ spec: { value, preempts, band, preemptible } }) => ({
    spec: {
      value,
      ...(preempts === undefined ? {} : { preempts }),
      ...(band === undefined ? {} : { band }),
      ...(preemptible === undefined ? {} : { preemptible }),
    },
    status: undefined,
  }),
  toDesired: (written) => {
    const { value, preempts, band, preemptible } = written as Type.Static<typeof spec>;
    return {
      kind: "PriorityClass",
      spec: {
        value,
        ...(preempts === undefined ? {} : { preempts }),
        ...(band === undefined ? {} : { band }),
        ...(preemptible === undefined ? {} : { preemptible }),
      },
    };
  },
});
