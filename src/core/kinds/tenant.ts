/** Tenant: who owns workloads and a quota. */
import { CONTENTS_FINALIZER } from "../model/finalizers.ts";
import { roleBindingsOf, rolesOf } from "./access-of.ts";
import { commitmentsOf } from "./commitments-of.ts";
import { hidden, shown, text } from "./fields/field.ts";
import type { WrittenDefinition } from "./kind-definition.ts";
import { leaderLeasesOf } from "./leader-leases-of.ts";
import { secretsOf } from "./secrets-of.ts";
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
  about: "An owner of workloads and quota. Its name is their namespace.",
  spec: {
    about: "The tenant as an operator describes it.",
    isOptional: true,
    fields: {
      displayName: shown(hidden(text("A name for people. No decision depends on it."), ""), {
        name: "Display Name",
        about: "A name for people.",
      }),
    },
    example: { name: "payments", spec: { displayName: "Payments" } },
  },
  stillUsed: (objects, { key, meta }) => {
    const owned = [...objects.all("Workload").values(), ...objects.all("Quota").values()].filter(
      (object) => object.meta.namespace === meta.name,
    );
    return stillInUse(key, firstKey(owned.map((object) => object.key)));
  },
  dependents: (objects, { meta }) => [
    ...leaderLeasesOf(objects, meta.name),
    ...commitmentsOf(objects, meta.name),
    ...secretsOf(objects, meta.name),
    ...roleBindingsOf(objects, meta.name),
    ...rolesOf(objects, meta.name),
  ],
};
