/** Kubernetes' Namespace, for clients that know only that: every tenant is shown as one. */
import { Type } from "typebox";
import type { Meta } from "../../core/model/objects.ts";
import { defineKind } from "../kinds/define-kind.ts";
import { fields, text } from "../schema/shapes.ts";
import { coreSchema } from "./core-schema.ts";
import type { ServedKind } from "./served-kind.ts";

const phaseOf = ({ deletingMs }: Meta): string =>
  deletingMs === undefined ? "Active" : "Terminating";

const DESCRIPTION = "A tenant, as Kubernetes clients know it. Write the Tenant instead.";
const status = fields("Where the namespace is in its life.", {
  phase: text("Active, or Terminating once deletion was asked for."),
});

const tenantAsNamespace = defineKind({
  kind: "Tenant",
  plural: "namespaces",
  shortNames: ["ns"],
  isNamespaced: false,
  description: DESCRIPTION,
  spec: Type.Optional(fields("Unused.", {})),
  columns: [
    {
      name: "Status",
      type: "string",
      description: "Active, or Terminating once deletion was asked for.",
      cell: ({ meta }) => phaseOf(meta),
    },
  ],
  selectableFields: { "status.phase": ({ meta }) => phaseOf(meta) },
  toApi: ({ meta }) => ({ spec: {}, status: { phase: phaseOf(meta) } }),
});

export const namespaceKind: ServedKind = {
  group: "",
  apiVersion: "v1",
  name: "Namespace",
  api: {
    ...tenantAsNamespace,
    singular: "namespace",
    schema: coreSchema("Namespace", DESCRIPTION, status),
  },
  isEmpty: false,
  metadata: (metadata) => metadata,
};
