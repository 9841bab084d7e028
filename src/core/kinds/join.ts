/** Join: which nodes a bootstrap token has let in. */
import type { PlaneDefinition } from "./kind-definition.ts";

export const joinDefinition: PlaneDefinition<"Join"> = {
  kind: "Join",
  plural: "joins",
  shortNames: [],
  scope: "cluster",
  writer: "plane",
  deletedBy: undefined,
};
