/** Region: where nodes are, and in which zones. */
import type { WrittenDefinition } from "./kind-definition.ts";

export const regionDefinition: WrittenDefinition<"Region"> = {
  kind: "Region",
  plural: "regions",
  shortNames: [],
  scope: "cluster",
  writer: "people",
  deletedBy: "user",
  applyStep: 10,
  // No rule relies on the names of its zones.
  malformed: () => undefined,
};
