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
  about: "A name for how important work is, and whose place it may take.",
  spec: {
    about: "How important work of this class is.",
    fields: {
      value: shown(
        count("Work of a higher value goes first. Work without a class has none and yields.", {
          least: -HIGHEST_VALUE,
          most: HIGHEST_VALUE,
        }),
        { name: "Value", about: "Work of a higher value goes first." },
      ),
      preempts: shown(
        usually(
          choice(
            "Whether its work may take the place of running work of a lower value, or only goes first in the queue.",
            ["lower", "never"],
          ),
          "lower",
        ),
        {
          name: "Preempts",
          about: "Whether its work takes the place of work of a lower value.",
        },
      ),
      band: shown(optional(text("Classes of the same band never take each other's place.")), {
        name: "Band",
        about: "Classes of the same band never take each other's place.",
      }),
      preemptible: shown(
        usually(
          flag("Whether its work may be asked to make room for work of a higher value."),
          true,
        ),
        {
          name: "Preemptible",
          about: "Whether its work may be asked to make room.",
          isWide: true,
        },
      ),
    },
    example: { name: "critical", spec: { value: 1_000, preempts: "lower" } },
  },
};
