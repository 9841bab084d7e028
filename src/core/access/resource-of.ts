/** A kind as roles name it. */
import { definitionOf } from "../kinds/kind-definitions.ts";
import { OWN_GROUP, RBAC_GROUP, type ResourceRequest } from "../model/access.ts";
import type { Kind } from "../model/ids.ts";

const OF_RBAC: ReadonlySet<Kind> = new Set([
  "Role",
  "RoleBinding",
  "ClusterRole",
  "ClusterRoleBinding",
]);

export const resourceOf = (kind: Kind): Pick<ResourceRequest, "group" | "resource"> => ({
  group: OF_RBAC.has(kind) ? RBAC_GROUP : OWN_GROUP,
  resource: definitionOf(kind).plural,
});
