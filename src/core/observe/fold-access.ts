/** Keeps the index of who may do what in step with the objects. */
import type { Kind } from "../model/ids.ts";
import type {
  AnyObject,
  ClusterRole,
  ClusterRoleBinding,
  Role,
  RoleBinding,
} from "../model/objects.ts";
import type { AccessRules, HeldBinding, HeldRole } from "../rules/access/access-rules.ts";
import { endOf } from "../rules/access/binding-end.ts";

export type AnyRole = Role | ClusterRole;
export type AnyBinding = RoleBinding | ClusterRoleBinding;

export const isBinding = (object: AnyObject | undefined): object is AnyBinding =>
  object?.kind === "RoleBinding" || object?.kind === "ClusterRoleBinding";

export function foldAccess(
  rules: AccessRules,
  kind: Kind,
  held: AnyObject | undefined,
  after: AnyObject | undefined,
): void {
  if (kind === "Role" || kind === "ClusterRole") {
    if (after !== undefined) rules.putRole(heldRole(after as AnyRole));
    else if (held !== undefined) rules.removeRole(heldRole(held as AnyRole));
    return;
  }
  if (held !== undefined) rules.removeBinding(heldBinding(held as AnyBinding));
  if (after !== undefined) rules.putBinding(heldBinding(after as AnyBinding));
}

export const heldRole = ({ kind, meta, spec }: AnyRole): HeldRole => ({
  ref: { kind, name: meta.name },
  ...inNamespace(meta.namespace),
  rules: spec.rules,
});

export function heldBinding({ meta, spec }: AnyBinding): HeldBinding {
  const end = endOf(meta.annotations);
  return {
    name: meta.name,
    ...inNamespace(meta.namespace),
    ...spec,
    // One that no authority would have accepted allows nothing.
    ...(end === undefined ? {} : { expiresMs: end === "malformed" ? 0 : end }),
  };
}

const inNamespace = (namespace: string) => (namespace === "" ? {} : { namespace });
