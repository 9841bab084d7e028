/**
 * Whether roles allow a request, by a scan over all of them: written apart from the index that planes use, without its
 * keys, its order and its translation of names.
 */
import type { AccessRequest, AccessRule, Subject } from "../../src/core/model/access.ts";
import type { HeldBinding, HeldRole } from "../../src/core/rules/access/access-rules.ts";
import { READY_BINDINGS, READY_ROLES } from "../../src/core/rules/access/ready-roles.ts";

interface Given {
  readonly roles: readonly HeldRole[];
  readonly bindings: readonly HeldBinding[];
}

export function mayByScan(
  { roles, bindings }: Given,
  who: Subject,
  what: AccessRequest,
  nowMs: number,
): boolean {
  for (const { role, group } of READY_BINDINGS) {
    if (!who.groups.includes(group)) continue;
    if (readyRules(role).some((rule) => allows(rule, what))) return true;
  }
  for (const binding of bindings) {
    if (binding.expiresMs !== undefined && binding.expiresMs <= nowMs) continue;
    const asked = "path" in what ? undefined : what.namespace;
    if (binding.namespace !== undefined && binding.namespace !== asked) continue;
    if (!binding.subjects.some((each) => isMeant(each, who))) continue;
    if (rulesOf(binding, roles).some((rule) => allows(rule, what))) return true;
  }
  return who.groups.includes("system:masters");
}

const readyRules = (name: string): readonly AccessRule[] =>
  READY_ROLES.find((ready) => ready.name === name)?.rules ?? [];

function rulesOf(binding: HeldBinding, roles: readonly HeldRole[]): readonly AccessRule[] {
  const { kind, name } = binding.roleRef;
  const written = roles.find(
    ({ ref, namespace }) =>
      ref.kind === kind &&
      ref.name === name &&
      (kind === "ClusterRole" || namespace === binding.namespace),
  );
  return written?.rules ?? (kind === "ClusterRole" ? readyRules(name) : []);
}

function isMeant(
  { kind, name, namespace }: HeldBinding["subjects"][number],
  who: Subject,
): boolean {
  if (kind === "User") return who.user === name;
  if (kind === "Group") return who.groups.includes(name);
  return who.user === ["system", "serviceaccount", namespace, name].join(":");
}

const matches = (words: readonly string[] | undefined, word: string): boolean =>
  (words ?? []).some((each) => each === "*" || each === word);

function allows(rule: AccessRule, what: AccessRequest): boolean {
  if (!matches(rule.verbs, what.verb)) return false;
  if ("path" in what) {
    return (rule.nonResourceURLs ?? []).some((pattern) => {
      const stem = pattern.replace(/\*$/, "");
      return stem === pattern ? what.path === pattern : what.path.startsWith(stem);
    });
  }
  const asked = [what.resource, what.subresource].filter((part) => part !== undefined).join("/");
  if (!matches(rule.apiGroups, what.group) || !matches(rule.resources, asked)) return false;
  return rule.resourceNames === undefined || rule.resourceNames.some((name) => name === what.name);
}
