/** What became of a role binding: a role that somebody got for a time, and its end. */
import type { BindingSubject } from "../../core/model/access.ts";
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { AnyBinding } from "../../core/observe/fold-access.ts";
import { endOf } from "../../core/rules/access/binding-end.ts";
import { BREAK_GLASS } from "../../core/rules/access/ready-roles.ts";
import { rfc3339 } from "../rfc3339.ts";
import { type Fact, normal, warning } from "./fact.ts";

export function bindingFacts(
  before: AnyBinding | undefined,
  after: AnyBinding,
  { actor }: Commit,
): readonly Fact[] {
  const { roleRef, subjects } = after.spec;
  const end = endOf(after.meta.annotations);
  const until = typeof end === "number" ? ` until ${rfc3339(end)}` : "";
  const whom = subjects.length === 0 ? "no subject" : subjects.map(nameOf).join(", ");
  const message = `${actor.name} gave ${roleRef.kind} ${roleRef.name} to ${whom}${until}.`;
  const did = `gave ${roleRef.kind} ${roleRef.name} to ${whom}${until}`;
  const tell = isEmergency(after) ? warning : normal;
  return [tell(before === undefined ? "RoleBound" : "RoleBindingChanged", message, did)];
}

export function bindingEnd(before: AnyBinding, { command, actor }: Commit): Fact {
  const { roleRef, subjects } = before.spec;
  const what = `${roleRef.kind} ${roleRef.name} of ${subjects.map(nameOf).join(", ")}`;
  const message = command === "expire" ? `${what} has ended.` : `${actor.name} took ${what} away.`;
  const tell = isEmergency(before) ? warning : normal;
  return tell("RoleUnbound", message, command === "expire" ? `ended ${what}` : `took ${what} away`);
}

const isEmergency = ({ spec }: AnyBinding): boolean => spec.roleRef.name === BREAK_GLASS;

const nameOf = ({ kind, namespace, name }: BindingSubject): string =>
  namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
