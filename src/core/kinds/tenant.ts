/** Tenant: who owns workloads and a quota. */
import { CONTENTS_FINALIZER } from "../model/finalizers.ts";
import type { WrittenDefinition } from "./kind-definition.ts";
import { firstKey, stillInUse } from "./still-in-use.ts";

export const tenantDefinition: WrittenDefinition<"Tenant"> = {
  kind: "Tenant",
  plural: "tenants",
  shortNames: [],
  scope: "cluster",
  writer: "people",
  deletedBy: "user",
  guard: { finalizer: CONTENTS_FINALIZER, lifter: "empty-tenant", from: "deletion" },
  applyStep: 50,
  // No rule relies on how it is called in full.
  malformed: () => undefined,
  stillUsed: (objects, { key, meta }) => {
    const owned = [...objects.all("Workload").values(), ...objects.all("Quota").values()].filter(
      (object) => object.meta.namespace === meta.name,
    );
    return stillInUse(key, firstKey(owned.map((object) => object.key)));
  },
};
