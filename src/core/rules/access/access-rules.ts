/**
 * The roles and bindings of a fleet, by namespace and subject: a decision looks only at the
 * bindings of the caller and of its groups, there and for the whole cluster, however many others
 * there are. The API asks it over its view, the authority over committed state.
 */
import {
  type AccessDecision,
  type AccessRequest,
  type AccessRule,
  type BindingSubject,
  MASTERS_GROUP,
  type RoleRef,
  type Subject,
} from "../../model/access.ts";
import { BREAK_GLASS, READY_BINDINGS, READY_ROLES } from "./ready-roles.ts";
import { ruleAllows } from "./rule-allows.ts";
import { inOwnNames, withOwnNames } from "./same-resource.ts";

/** A RoleBinding (with a namespace) or a ClusterRoleBinding (without). */
export interface HeldBinding {
  readonly name: string;
  readonly namespace?: string;
  readonly roleRef: RoleRef;
  readonly subjects: readonly BindingSubject[];
  /** From then on it allows nothing; left out: it lasts until it is deleted. */
  readonly expiresMs?: number;
}

export interface HeldRole {
  readonly ref: RoleRef;
  /** Of a Role. */
  readonly namespace?: string;
  readonly rules: readonly AccessRule[];
}

/** The rules as they were written, and with what they allow under Berth's own names. */
export interface KnownRole {
  readonly written: readonly AccessRule[];
  readonly rules: readonly AccessRule[];
}

/** A binding that holds for a subject, with the role that it gives. */
export interface RoleInForce {
  readonly binding: HeldBinding;
  readonly role: KnownRole;
}

/** By the name of a user or group; a name alone is looked up faster than a key made of it. */
interface BySubject {
  readonly users: Map<string, Map<string, HeldBinding>>;
  readonly groups: Map<string, Map<string, HeldBinding>>;
}

const EVERYWHERE = "";
const NONE: readonly HeldBinding[] = [];
const NO_SUBJECTS: BySubject = { users: new Map(), groups: new Map() };

/** They exist in every plane, without an object. */
const READY: ReadonlyMap<string, KnownRole> = new Map(
  READY_ROLES.map(({ name, rules }) => [name, knownRole(rules)]),
);
const READY_OF_GROUP = new Map(
  READY_BINDINGS.map((ready) => ready.group).map((group) => [
    group,
    READY_BINDINGS.filter((ready) => ready.group === group).map(({ role }): HeldBinding => ({
      name: role,
      roleRef: { kind: "ClusterRole", name: role },
      subjects: [{ kind: "Group", name: group }],
    })),
  ]),
);

export class AccessRules {
  readonly #roles = new Map<string, KnownRole>();
  /** By namespace: a tenant that binds all groups slows down requests in its own alone. */
  readonly #bindings = new Map<string, BySubject>();

  #changes = 0;

  /** Counts what was put and removed: a cache of answers is right as long as it stays. */
  get changes(): number {
    return this.#changes;
  }

  putRole({ ref, namespace = EVERYWHERE, rules }: HeldRole): void {
    this.#changes += 1;
    this.#roles.set(roleKey(ref, namespace), knownRole(rules));
  }

  removeRole({ ref, namespace = EVERYWHERE }: Omit<HeldRole, "rules">): void {
    this.#changes += 1;
    this.#roles.delete(roleKey(ref, namespace));
  }

  putBinding(binding: HeldBinding): void {
    this.#changes += 1;
    const { namespace = EVERYWHERE } = binding;
    const bySubject = this.#bindings.get(namespace) ?? { users: new Map(), groups: new Map() };
    this.#bindings.set(namespace, bySubject);
    for (const subject of binding.subjects) {
      const [held, name] = placeOf(bySubject, subject);
      held.set(name, (held.get(name) ?? new Map<string, HeldBinding>()).set(binding.name, binding));
    }
  }

  /** The binding as it was put. */
  removeBinding(binding: HeldBinding): void {
    this.#changes += 1;
    const { namespace = EVERYWHERE } = binding;
    const bySubject = this.#bindings.get(namespace);
    if (bySubject === undefined) return;
    for (const subject of binding.subjects) {
      const [held, name] = placeOf(bySubject, subject);
      held.get(name)?.delete(binding.name);
      if (held.get(name)?.size === 0) held.delete(name);
    }
    if (bySubject.users.size + bySubject.groups.size === 0) this.#bindings.delete(namespace);
  }

  decide(subject: Subject, request: AccessRequest, nowMs: number): AccessDecision {
    if (subject.groups.includes(MASTERS_GROUP)) {
      return { isAllowed: true, by: `Group/${MASTERS_GROUP}` };
    }
    const asked = inOwnNames(request);
    const namespace = namespaceOf(asked);
    const by =
      this.#allowingIn(EVERYWHERE, subject, asked, nowMs) ??
      (namespace ? this.#allowingIn(namespace, subject, asked, nowMs) : undefined) ??
      this.#readyFor(subject, asked);
    if (by !== undefined) return { isAllowed: true, by: restsOn(by) };
    return { isAllowed: false, reason: "No role binding allows it." };
  }

  /** Asked for every request: without what a generator costs. */
  #allowingIn(
    place: string,
    { user, groups }: Subject,
    asked: AccessRequest,
    nowMs: number,
  ): HeldBinding | undefined {
    const bySubject = this.#bindings.get(place);
    if (bySubject === undefined) return undefined;
    const own = this.#allowingAmong(bySubject.users.get(user), asked, nowMs);
    if (own !== undefined) return own;
    for (const group of groups) {
      const by = this.#allowingAmong(bySubject.groups.get(group), asked, nowMs);
      if (by !== undefined) return by;
    }
    return undefined;
  }

  #allowingAmong(
    bindings: ReadonlyMap<string, HeldBinding> | undefined,
    asked: AccessRequest,
    nowMs: number,
  ): HeldBinding | undefined {
    if (bindings === undefined) return undefined;
    for (const binding of bindings.values()) {
      if (hasEnded(binding, nowMs)) continue;
      const role = this.role(binding.roleRef, binding.namespace);
      if (role !== undefined && allows(role, asked)) return binding;
    }
    return undefined;
  }

  #readyFor({ groups }: Subject, asked: AccessRequest): HeldBinding | undefined {
    for (const group of groups) {
      for (const binding of READY_OF_GROUP.get(group) ?? NONE) {
        const role = READY.get(binding.roleRef.name);
        if (role !== undefined && allows(role, asked)) return binding;
      }
    }
    return undefined;
  }

  /** Every rule in force for it: of the whole cluster, and of the namespace if one is given. */
  rulesOf(subject: Subject, namespace: string | undefined, nowMs: number): readonly AccessRule[] {
    if (subject.groups.includes(MASTERS_GROUP)) return READY.get("cluster-admin")?.written ?? [];
    return [...this.inForce(subject, namespace, nowMs)].flatMap(({ role }) => role.written);
  }

  /** A role that is bound there; undefined: there is none of that name. */
  role(ref: RoleRef, namespace = EVERYWHERE): KnownRole | undefined {
    const written = this.#roles.get(roleKey(ref, ref.kind === "Role" ? namespace : EVERYWHERE));
    return written ?? (ref.kind === "ClusterRole" ? READY.get(ref.name) : undefined);
  }

  /** What holds for it: for the whole cluster, and in the namespace if one is given. */
  *inForce(
    subject: Subject,
    namespace: string | undefined,
    nowMs: number,
  ): Generator<RoleInForce, void> {
    for (const place of namespace ? [EVERYWHERE, namespace] : [EVERYWHERE]) {
      const bySubject = this.#bindings.get(place);
      if (bySubject === undefined) continue;
      yield* this.#givenBy(bySubject.users.get(subject.user)?.values() ?? NONE, nowMs);
      for (const group of subject.groups) {
        yield* this.#givenBy(bySubject.groups.get(group)?.values() ?? NONE, nowMs);
      }
    }
    for (const group of subject.groups) yield* this.#givenBy(READY_OF_GROUP.get(group) ?? NONE, 0);
  }

  /** The bindings that allow it, whatever the subject. */
  *allowing(request: AccessRequest, nowMs: number): Generator<RoleInForce, void> {
    const asked = inOwnNames(request);
    const namespace = namespaceOf(asked);
    const all = new Set<HeldBinding>();
    for (const place of namespace ? [EVERYWHERE, namespace] : [EVERYWHERE]) {
      const { users, groups } = this.#bindings.get(place) ?? NO_SUBJECTS;
      for (const held of [...users.values(), ...groups.values()]) {
        for (const one of held.values()) all.add(one);
      }
    }
    for (const ready of READY_OF_GROUP.values()) for (const one of ready) all.add(one);
    for (const each of this.#givenBy(all, nowMs)) {
      if (allows(each.role, asked)) yield each;
    }
  }

  *#givenBy(bindings: Iterable<HeldBinding>, nowMs: number): Generator<RoleInForce, void> {
    for (const binding of bindings) {
      if (hasEnded(binding, nowMs)) continue;
      const role = this.role(binding.roleRef, binding.namespace);
      if (role !== undefined) yield { binding, role };
    }
  }
}

export function knownRole(rules: readonly AccessRule[]): KnownRole {
  return { written: rules, rules: rules.flatMap(withOwnNames) };
}

const namespaceOf = (request: AccessRequest): string | undefined =>
  "path" in request ? undefined : request.namespace;

const roleKey = ({ kind, name }: RoleRef, namespace: string): string =>
  `${kind}/${namespace}/${name}`;

/** What a decision rests on; the role for emergencies is named, so that its use is seen. */
const restsOn = (binding: HeldBinding): string =>
  `${bindingName(binding)}${isEmergency(binding) ? GLASS_MARK : ""}`;

const isEmergency = ({ roleRef }: HeldBinding): boolean =>
  roleRef.kind === "ClusterRole" && roleRef.name === BREAK_GLASS;

const GLASS_MARK = ` (${BREAK_GLASS})`;

/** Whether a decision rested on a binding of the role for emergencies. */
export const isBreakGlass = (by: string | undefined): boolean => by?.endsWith(GLASS_MARK) === true;

export const bindingName = ({ namespace, name }: HeldBinding): string =>
  namespace === undefined ? `ClusterRoleBinding/${name}` : `RoleBinding/${namespace}/${name}`;

const hasEnded = ({ expiresMs }: HeldBinding, nowMs: number): boolean =>
  expiresMs !== undefined && nowMs >= expiresMs;

function allows({ rules }: KnownRole, asked: AccessRequest): boolean {
  for (const rule of rules) if (ruleAllows(rule, asked)) return true;
  return false;
}

/** A service account is a user of this name, as in Kubernetes. */
function placeOf(
  { users, groups }: BySubject,
  { kind, name, namespace = "" }: BindingSubject,
): readonly [Map<string, Map<string, HeldBinding>>, string] {
  if (kind === "Group") return [groups, name];
  return [users, kind === "User" ? name : `system:serviceaccount:${namespace}:${name}`];
}
