/**
 * Grant: what a region was lent of a tenant's quota. It outlives its tenant: versions only grow.
 */
import type { PlaneDefinition } from "./kind-definition.ts";

export const grantDefinition: PlaneDefinition<"Grant"> = {
  kind: "Grant",
  plural: "grants",
  shortNames: [],
  scope: "tenant",
  writer: "plane",
  deletedBy: undefined,
};
