/**
 * The roles and bindings of a fleet, by subject: a decision looks only at the bindings of the
 * caller and of its groups, however many others there are. The API asks it over its view, the
 * authority over committed state.
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
interface KnownRole {
  readonly written: readonly AccessRule[];
  readonly rules: readonly AccessRule[];
}

const NONE: ReadonlyMap<string, HeldBinding> = new Map();

export class AccessRules {
  readonly #roles = new Map<string, KnownRole>();
  readonly #bySubject = new Map<string, Map<string, HeldBinding>>();

  putRole({ ref, namespace = "", rules }: HeldRole): void {
    const known = { written: rules, rules: rules.flatMap(withOwnNames) };
    this.#roles.set(roleKey(ref, namespace), known);
  }

  removeRole({ ref, namespace = "" }: Omit<HeldRole, "rules">): void {
    this.#roles.delete(roleKey(ref, namespace));
  }

  putBinding(binding: HeldBinding): void {
    for (const subject of binding.subjects) {
      const key = subjectKey(subject);
      const held = this.#bySubject.get(key) ?? new Map<string, HeldBinding>();
      held.set(bindingKey(binding), binding);
      this.#bySubject.set(key, held);
    }
  }

  /** The binding as it was put. */
  removeBinding(binding: HeldBinding): void {
    for (const subject of binding.subjects) {
      const key = subjectKey(subject);
      const held = this.#bySubject.get(key);
      held?.delete(bindingKey(binding));
      if (held?.size === 0) this.#bySubject.delete(key);
    }
  }

  decide(subject: Subject, request: AccessRequest, nowMs: number): AccessDecision {
    if (subject.groups.includes(MASTERS_GROUP)) {
      return { isAllowed: true, by: `Group/${MASTERS_GROUP}` };
    }
    const asked = inOwnNames(request);
    for (const { binding, role } of this.#inForce(subject, namespaceOf(asked), nowMs)) {
      if (role.rules.some((rule) => ruleAllows(rule, asked))) {
        return { isAllowed: true, by: bindingName(binding) };
      }
    }
    return { isAllowed: false, reason: "No role binding allows it." };
  }

  /** Every rule in force for it: of the whole cluster, and of the namespace if one is given. */
  rulesOf(subject: Subject, namespace: string | undefined, nowMs: number): readonly AccessRule[] {
    return [...this.#inForce(subject, namespace, nowMs)].flatMap(({ role }) => role.written);
  }

  *#inForce(subject: Subject, namespace: string | undefined, nowMs: number) {
    const keys = [`User/${subject.user}`, ...subject.groups.map((group) => `Group/${group}`)];
    for (const key of keys) {
      for (const binding of (this.#bySubject.get(key) ?? NONE).values()) {
        if (binding.expiresMs !== undefined && nowMs >= binding.expiresMs) continue;
        if (binding.namespace !== undefined && binding.namespace !== namespace) continue;
        const of = binding.roleRef.kind === "Role" ? (binding.namespace ?? "") : "";
        const role = this.#roles.get(roleKey(binding.roleRef, of));
        if (role !== undefined) yield { binding, role };
      }
    }
  }
}

const namespaceOf = (request: AccessRequest): string | undefined =>
  "path" in request ? undefined : request.namespace;

const roleKey = ({ kind, name }: RoleRef, namespace: string): string =>
  `${kind}/${namespace}/${name}`;

const bindingKey = ({ namespace = "", name }: HeldBinding): string => `${namespace}/${name}`;

const bindingName = ({ namespace, name }: HeldBinding): string =>
  namespace === undefined ? `ClusterRoleBinding/${name}` : `RoleBinding/${namespace}/${name}`;

/** A service account is a user of this name, as in Kubernetes. */
const subjectKey = ({ kind, name, namespace = "" }: BindingSubject): string =>
  kind === "ServiceAccount" ? `User/system:serviceaccount:${namespace}:${name}` : `${kind}/${name}`;
