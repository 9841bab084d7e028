/** The roles and bindings of a tenant: they go with it, and it may have so many. */
import type { Role, RoleBinding } from "../model/objects.ts";
import type { ObjectIndex } from "../observe/object-index.ts";

export const rolesOf = (objects: ObjectIndex, tenant: string): readonly Role[] =>
  [...objects.all("Role").values()].filter(({ meta }) => meta.namespace === tenant);

export const roleBindingsOf = (objects: ObjectIndex, tenant: string): readonly RoleBinding[] =>
  [...objects.all("RoleBinding").values()].filter(({ meta }) => meta.namespace === tenant);
