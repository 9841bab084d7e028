/** A kind as roles name it. */
import { definitionOf } from "../../core/kinds/kind-definitions.ts";
import { RBAC_GROUP, type ResourceRequest } from "../../core/model/access.ts";
import type { Kind } from "../../core/model/ids.ts";
import { GROUP } from "../group-version.ts";

const OF_RBAC: ReadonlySet<Kind> = new Set([
  "Role",
  "RoleBinding",
  "ClusterRole",
  "ClusterRoleBinding",
]);

export const resourceOf = (kind: Kind): Pick<ResourceRequest, "group" | "resource"> => ({
  group: OF_RBAC.has(kind) ? RBAC_GROUP : GROUP,
  resource: definitionOf(kind).plural,
});
