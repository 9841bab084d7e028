/** PriorityClass: which workloads go first, and which may preempt which. */
import { HIGHEST_VALUE } from "../model/preemption.ts";
import { choice, count, flag, optional, shown, text, usually } from "./fields/field.ts";
import type { WrittenDefinition } from "./kind-definition.ts";

export const priorityClassDefinition: WrittenDefinition<"PriorityClass"> = {
  kind: "PriorityClass",
  plural: "priorityclasses",
  shortNames: ["pc"],
  scope: "cluster",
  writer: "people",
  deletedBy: "user",
  applyStep: 40,
  about: "A named priority, and which work it may preempt.",
  spec: {
    about: "How important work of this class is.",
    fields: {
      value: shown(
        count("Work of a higher value goes first. Work without a class comes last.", {
          least: -HIGHEST_VALUE,
          most: HIGHEST_VALUE,
        }),
        { name: "Value", about: "Work of a higher value goes first." },
      ),
      preempts: shown(
        usually(
          choice(
            "Whether its work may preempt running work of a lower value, or only goes first in the queue.",
            ["lower", "never"],
          ),
          "lower",
        ),
        {
          name: "Preempts",
          about: "Whether its work preempts work of a lower value.",
        },
      ),
      band: shown(optional(text("Classes of the same band never preempt each other.")), {
        name: "Band",
        about: "Classes of the same band never preempt each other.",
      }),
      preemptible: shown(
        usually(flag("Whether work of a higher value may preempt its work."), true),
        {
          name: "Preemptible",
          about: "Whether its work may be preempted.",
          isWide: true,
        },
      ),
    },
    example: { name: "critical", spec: { value: 1_000, preempts: "lower" } },
  },
};
