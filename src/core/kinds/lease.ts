/** Lease: the newest renewal of a node's right to run processes. */
import type { PlaneDefinition } from "./kind-definition.ts";

export const leaseDefinition: PlaneDefinition<"Lease"> = {
  kind: "Lease",
  plural: "leases",
  shortNames: [],
  scope: "cluster",
  writer: "plane",
  deletedBy: undefined,
};
