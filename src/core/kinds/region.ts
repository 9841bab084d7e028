/** Region: where nodes are, and in which zones. */
import { type RegionPlaneSpec, TERM_BOUNDS_MS, TERM_MS } from "../model/regional/region-plane.ts";
import { reject } from "../protocol/rejection.ts";
import { duration, filled, list, name, object, optional } from "./fields/field.ts";
import type { WrittenDefinition } from "./kind-definition.ts";

export const regionDefinition: WrittenDefinition<"Region"> = {
  kind: "Region",
  plural: "regions",
  shortNames: [],
  scope: "cluster",
  writer: "people",
  deletedBy: "user",
  applyStep: 10,
  stillUsed: (_, { key, status: { heard } }) =>
    heard === undefined || heard.gone === true
      ? undefined
      : reject("still-in-use", key, "a region that is gone", "its plane was lent quota"),
  about: "A place with nodes, divided into zones that fail independently.",
  spec: {
    about: "The region as an operator describes it.",
    fields: {
      zones: list(
        "The zones of the region: parts that fail independently of each other.",
        name("The name of a zone."),
        { repeated: "refused" },
      ),
      plane: optional(
        object<RegionPlaneSpec>(
          "The region has a plane of its own, which this plane lends quota to. Default: this plane serves the region.",
          {
            termMs: filled(
              duration(
                "How long the region may take new work into its quota without an answer of this plane.",
                TERM_BOUNDS_MS,
              ),
              TERM_MS,
            ),
          },
        ),
      ),
    },
    example: { name: "eu-west", spec: { zones: ["a", "b", "c"] } },
  },
};
