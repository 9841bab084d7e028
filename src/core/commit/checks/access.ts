/**
 * Who may write roles and bindings beyond the right to write objects of these kinds: a caller gives
 * nothing that it does not have (AZ12), a binding never turns into one of another role (AZ13), and
 * the role for emergencies is given for a limited time only (AZ15).
 */
import { RBAC_GROUP, type ResourceRequest, type RoleRef } from "../../model/access.ts";
import { parseKey } from "../../model/ids.ts";
import { ACCESS_LIMITS } from "../../model/limits/access-limits.ts";
import type { AnyBinding, AnyRole } from "../../observe/fold-access.ts";
import type { IntentOf, PutOf } from "../../protocol/command.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";
import { type KnownRole, knownRole } from "../../rules/access/access-rules.ts";
import { endOf, EXPIRES_ANNOTATION, EXPIRES_FORM } from "../../rules/access/binding-end.ts";
import { escalationOf } from "../../rules/access/escalation.ts";
import { BREAK_GLASS, isReadyRole } from "../../rules/access/ready-roles.ts";
import { subjectOfActor } from "../../rules/access/subject-of-actor.ts";
import { sameValue } from "../validate/same-value.ts";
import { type CommitContext, removed, type Verdict } from "../verdict.ts";

type RolePut = PutOf<"Role" | "ClusterRole">;
type BindingPut = PutOf<"RoleBinding" | "ClusterRoleBinding">;

export function roleUnfit(
  context: CommitContext,
  held: AnyRole | undefined,
  { key, desired }: RolePut,
): Rejection | undefined {
  const { kind, namespace, name } = parseKey(key);
  if (kind === "ClusterRole" && isReadyRole(name)) {
    return reject("bad-object", `${key} name`, "another: every plane has this role", name);
  }
  const { rules } = desired.spec;
  if (held !== undefined && sameValue(held.spec.rules, rules)) return undefined;
  return escalates(context, knownRole(rules), {
    verb: "escalate",
    kind: desired.kind,
    namespace,
    name,
    end: undefined,
  });
}

export function bindingUnfit(
  context: CommitContext,
  held: AnyBinding | undefined,
  put: BindingPut,
): Rejection | undefined {
  const { key, desired, annotations = held?.meta.annotations } = put;
  const end = endOf(annotations);
  if (end === "malformed") {
    const found = annotations?.[EXPIRES_ANNOTATION] ?? "";
    return reject("bad-object", `${key} ${EXPIRES_ANNOTATION}`, EXPIRES_FORM, found);
  }
  const { roleRef } = desired.spec;
  const isSame =
    held !== undefined &&
    sameValue(held.spec, desired.spec) &&
    endOf(held.meta.annotations) === end;
  if (isSame) return undefined;
  if (end !== undefined && end <= context.nowMs) {
    return reject("bad-object", `${key} ${EXPIRES_ANNOTATION}`, "a time to come", end);
  }
  const { namespace } = parseKey(key);
  const role = context.ledger.objects.access.role(roleRef, namespace);
  return (
    endless(context, put, end) ??
    escalates(context, role, { ...roleRef, verb: "bind", namespace, end })
  );
}

/** Asked of a put that would change the spec. */
export function roleRefFixed(held: AnyBinding, { desired }: BindingPut): Rejection | undefined {
  const { roleRef: was } = held.spec;
  const { roleRef: is } = desired.spec;
  if (sameValue(was, is)) return undefined;
  const instead = `${is.kind} ${is.name}; delete the binding and make another`;
  return reject("role-ref-fixed", `${held.key} roleRef`, `${was.kind} ${was.name}`, instead);
}

/** Emergencies end; a binding that does not would be forgotten. */
function endless(
  { nowMs }: CommitContext,
  { key, desired }: BindingPut,
  end: number | undefined,
): Rejection | undefined {
  const { kind, name } = desired.spec.roleRef;
  if (kind !== "ClusterRole" || name !== BREAK_GLASS) return undefined;
  const most = ACCESS_LIMITS.breakGlassMs.value;
  if (end !== undefined && end - nowMs <= most) return undefined;
  const field = `${key} ${EXPIRES_ANNOTATION}`;
  const expected = `${EXPIRES_FORM}, at most ${most / 3_600_000} hours from now`;
  return reject("bad-object", field, expected, end === undefined ? "none" : "a later time");
}

/** Removes a binding that allows nothing any more (AZ18). */
export function expireBinding(
  { role, nowMs }: CommitContext,
  binding: AnyBinding,
  { evidence }: IntentOf<"expire">,
): Verdict {
  const { key, meta } = binding;
  if (role !== "expire-binding") return reject("not-owner", key, "expire-binding", role);
  if (evidence.kind !== "binding-over") {
    return reject("evidence-missing", key, "binding-over", evidence.kind);
  }
  const end = endOf(meta.annotations);
  if (typeof end !== "number") return reject("binding-not-over", key, "one that ends", "no end");
  if (evidence.binding !== key || evidence.untilMs !== end) {
    return reject("evidence-wrong", key, end, evidence.untilMs);
  }
  if (nowMs < end) return reject("binding-not-over", key, "its end", `${end - nowMs} ms left`);
  return [removed(binding)];
}

interface Given {
  /** What allows to give it without having it. */
  readonly verb: "escalate" | "bind";
  readonly kind: RoleRef["kind"];
  readonly namespace: string;
  readonly name: string;
  /** When the gift ends; undefined: it does not. */
  readonly end: number | undefined;
}

function escalates(
  { ledger, actor }: CommitContext,
  role: KnownRole | undefined,
  { verb, kind, namespace, name, end }: Given,
): Rejection | undefined {
  const subject = subjectOfActor(actor);
  if (subject === undefined) return undefined;
  const { access } = ledger.objects;
  // What ends before the gift does is not the sender's to give: a caller whose binding ends would
  // otherwise give itself one that does not.
  const atMs = end === undefined ? Number.POSITIVE_INFINITY : end - 1;
  const place = namespace === "" ? {} : { namespace };
  const resource = kind === "Role" ? "roles" : "clusterroles";
  const request: ResourceRequest = { verb, group: RBAC_GROUP, resource, ...place, name };
  if (access.decide(subject, request, atMs).isAllowed) return undefined;
  const field = `${kind} ${name}`;
  // The rules of a role that comes later are not known yet.
  if (role === undefined) {
    return reject("role-escalated", field, `a role that there is, or the verb ${verb}`, "none");
  }
  const held = [...access.inForce(subject, namespace, atMs)].map((each) => each.role);
  const beyond = escalationOf(role, held);
  if (beyond === undefined) return undefined;
  const expected = `only what ${subject.user} may do itself for as long, or the verb ${verb} on ${resource}`;
  const found = beyond.kind === "rule" ? JSON.stringify(beyond.rule) : "too many rules to compare";
  return reject("role-escalated", field, expected, found);
}
