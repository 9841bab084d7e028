/**
 * Kubernetes' Namespace, for clients that know only that: every tenant is one. Making a namespace
 * makes a tenant, deleting it deletes the tenant with all it owns.
 */
import { Type } from "typebox";
import type { Meta } from "../../core/model/objects.ts";
import { defineKind } from "../kinds/define-kind.ts";
import { fields, text } from "../schema/shapes.ts";
import { coreSchema } from "../http/core-schema.ts";
import type { ServedKind } from "./served-kind.ts";

const phaseOf = ({ deletingMs }: Meta): string =>
  deletingMs === undefined ? "Active" : "Terminating";

const DESCRIPTION = "A tenant, as Kubernetes clients know it.";
const status = fields("The phase of the namespace.", {
  phase: text("Active, or Terminating during deletion."),
});

/** What Kubernetes clients send along. Nothing of a namespace is wanted but that it is there. */
const spec = fields("Kept for Kubernetes clients; Berth does not use it.", {
  finalizers: Type.Optional(
    Type.Array(Type.String(), {
      description: "Kept for Kubernetes clients; Berth does not use it.",
    }),
  ),
});

const tenantAsNamespace = defineKind({
  kind: "Tenant",
  servedAs: {
    plural: "namespaces",
    singular: "namespace",
    shortNames: ["ns"],
    isNamespaced: false,
  },
  description: DESCRIPTION,
  spec: Type.Optional(spec),
  columns: [
    {
      name: "Status",
      type: "string",
      description: "Active, or Terminating during deletion.",
      cell: ({ meta }) => phaseOf(meta),
    },
  ],
  selectableFields: { "status.phase": ({ meta }) => phaseOf(meta) },
  toApi: ({ meta }) => ({ spec: {}, status: { phase: phaseOf(meta) } }),
  toDesired: () => ({ kind: "Tenant", spec: { displayName: "" } }),
});

export const namespaceKind: ServedKind = {
  group: "",
  apiVersion: "v1",
  name: "Namespace",
  api: {
    ...tenantAsNamespace,
    schema: coreSchema("Namespace", DESCRIPTION, { spec, status }),
  },
  // A namespace has no name for people, and must not take the tenant's from it.
  keepsSpec: true,
  metadata: (metadata) => metadata,
};
