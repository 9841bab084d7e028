/** Plane: which place the plane of this log has among others. */
import type { PlaneDefinition } from "./kind-definition.ts";

export const planeDefinition: PlaneDefinition<"Plane"> = {
  kind: "Plane",
  plural: "planes",
  shortNames: [],
  scope: "cluster",
  onlyName: "self",
  writer: "plane",
  deletedBy: undefined,
};
