/** Tenant: whose work it is. Its name is the namespace of everything it owns. */
import { Type } from "typebox";
import { fields, text } from "../schema/shapes.ts";
import { defineKind } from "./define-kind.ts";

const spec = fields("The tenant as an operator describes it.", {
  displayName: Type.Optional(text("A name for people. No decision depends on it.")),
});

export const tenantKind = defineKind({
  kind: "Tenant",
  description: "An owner of workloads and quota. Its name is their namespace.",
  spec: Type.Optional(spec),
  columns: [
    {
      name: "Display Name",
      type: "string",
      description: "A name for people.",
      cell: (tenant) => tenant.spec.displayName,
    },
  ],
  toApi: ({ spec: { displayName } }) => ({
    spec: displayName === "" ? {} : { displayName },
    status: undefined,
  }),
  toDesired: (written) => {
    const { displayName = "" } = (written ?? {}) as Type.Static<typeof spec>;
    return { kind: "Tenant", spec: { displayName } };
  },
});
