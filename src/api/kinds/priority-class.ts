/** PriorityClass: whose work yields to whose. */
import type { Type } from "typebox";
import { fields, wholeNumber } from "../schema/shapes.ts";
import { defineKind } from "./define-kind.ts";

/** The range Kubernetes leaves to users. */
const HIGHEST = 1_000_000_000;

const spec = fields("How important work of this class is.", {
  value: wholeNumber(
    "Work of a higher value goes first. Work without a class has none and yields.",
    {
      from: -HIGHEST,
      to: HIGHEST,
    },
  ),
});

export const priorityClassKind = defineKind({
  kind: "PriorityClass",
  plural: "priorityclasses",
  shortNames: ["pc"],
  isNamespaced: false,
  description: "A name for how important work is.",
  spec,
  columns: [
    {
      name: "Value",
      type: "integer",
      description: "Work of a higher value goes first.",
      cell: (priorityClass) => priorityClass.spec.value,
    },
  ],
  toApi: (priorityClass) => ({ spec: { value: priorityClass.spec.value }, status: undefined }),
  toDesired: (written) => {
    const { value } = written as Type.Static<typeof spec>;
    return { kind: "PriorityClass", spec: { value } };
  },
});
