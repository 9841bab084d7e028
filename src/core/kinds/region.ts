/** Region: where nodes are, and in which zones. */
import { list, name } from "./fields/field.ts";
import type { WrittenDefinition } from "./kind-definition.ts";

export const regionDefinition: WrittenDefinition<"Region"> = {
  kind: "Region",
  plural: "regions",
  shortNames: [],
  scope: "cluster",
  writer: "people",
  deletedBy: "user",
  applyStep: 10,
  about: "A place with nodes, divided into zones that fail independently.",
  spec: {
    about: "The region as an operator describes it.",
    fields: {
      zones: list(
        "The zones of the region: parts that fail independently of each other.",
        name("The name of a zone."),
        { repeated: "refused" },
      ),
    },
    example: { name: "eu-west", spec: { zones: ["a", "b", "c"] } },
  },
};
