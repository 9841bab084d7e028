/**
 * [INV196] A plane allows a person exactly what roles and bindings say at that moment, and names a
 * binding that allows it. [INV197] A command of a person is committed only if roles allow it in the
 * state in which it is committed. [INV198] Roles and bindings that a person writes give nothing
 * that the person lacks, unless by the verbs `escalate` and `bind`, and only such gifts are refused
 * as more than that. [INV199] A binding keeps its role, begins before its end, is removed for its
 * end only after it, and is gone once the world has healed; a binding of `break-glass` lasts a day
 * at most. No role outlives its tenant.
 *
 * They would break if the index of roles fell out of step with the objects, or if a right that was
 * taken away lived on in an index, a clock or a role that somebody else may write. The model scans
 * the objects themselves.
 */
import type { AccessRequest, Subject } from "../../../core/model/access.ts";
import { parseKey, type ObjectKey, type OperationId } from "../../../core/model/ids.ts";
import type {
  AnyObject,
  ClusterRole,
  ClusterRoleBinding,
  Role,
  RoleBinding,
} from "../../../core/model/objects.ts";
import type { Reply } from "../../../core/protocol/outcome.ts";
import type { Commit } from "../../../core/protocol/commit-record.ts";
import type { Intent, IntentOf } from "../../../core/protocol/command.ts";
import type { AccessAsked, Answered } from "../../roles/roles-gate.ts";
import type { Checker, Report, Truth } from "../checker.ts";
import {
  allBindings,
  bindingAllows,
  naiveBeyond,
  naiveEnd,
  naiveMay,
  type Objects,
  rulesOf,
} from "../models/naive-roles.ts";

/** What the checker knows of a command from the moments in which a plane took it. */
interface Taken {
  readonly who: Subject;
  readonly intent: Intent;
  readonly nowMs: number[];
  /** Whether a gift was too large, each time it was taken. */
  readonly wasTooMuch: boolean[];
}

const DAY_MS = 86_400_000;
/** A relist, and a few tries of the controller. */
const LEFT_OVER_MS = 90_000;
const RBAC = "rbac.authorization.k8s.io";

class RolesChecker implements Checker {
  readonly name = "roles";
  private readonly taken = new Map<OperationId, Taken>();

  accessAsked(asked: AccessAsked, objects: Objects, _truth: Truth, report: Report): void {
    const { who, intent, nowMs } = asked;
    for (const each of [...asked.asked, ...asked.reads]) {
      this.checkAnswer(each, asked, objects, report);
    }
    const held = "key" in intent ? heldIn(objects, intent.key) : undefined;
    const missing = naiveRequests(intent, held).find(
      (request) => !naiveMay(objects, who, request, nowMs),
    );
    const isAllowed = asked.asked.every((each) => each.isAllowed);
    if (isAllowed !== (missing === undefined)) {
      const what = isAllowed ? `needs ${JSON.stringify(missing)}` : "needs nothing more";
      report("INV196", `${said(asked)}, which ${what}.`);
    }
    if (!isAllowed) return;
    const taken = this.taken.get(intent.operation) ?? { who, intent, nowMs: [], wasTooMuch: [] };
    taken.nowMs.push(nowMs);
    taken.wasTooMuch.push(tooMuch(objects, who, intent) !== undefined);
    this.taken.set(intent.operation, taken);
  }

  private checkAnswer(
    { request, isAllowed, by }: Answered,
    asked: AccessAsked,
    objects: Objects,
    report: Report,
  ): void {
    const { who, nowMs, plane } = asked;
    const what = `${plane} answered ${who.user} on ${JSON.stringify(request)}`;
    if (naiveMay(objects, who, request, nowMs) !== isAllowed) {
      report("INV196", `${what} with ${isAllowed ? `yes, by ${by}` : "no"}, against its roles.`);
    }
    if (!isAllowed || by === undefined || by.startsWith("Group/system:masters")) return;
    const binding = allBindings(objects).find(
      ({ name, place, roleRef: { name: role } }) =>
        by ===
        (place === "" ? `ClusterRoleBinding/${name}` : `RoleBinding/${place}/${name}`) +
          (role === "break-glass" ? " (break-glass)" : ""),
    );
    if (binding === undefined || !bindingAllows(objects, binding, request)) {
      report("INV196", `${what} with yes, by ${by}, which does not allow it.`);
    }
  }

  beforeCommit(commit: Commit, truth: Truth, report: Report): void {
    const { actor, command, changes, operation } = commit;
    if (actor.role === "user" && actor.by !== undefined) this.checkCommit(commit, truth, report);
    for (const { key, before, after } of changes) {
      const [is, was] = [asBinding(after), asBinding(before)];
      if (is !== undefined) checkBinding(commit, was, is, report);
      if (was === undefined || is !== undefined || command !== "expire") continue;
      if (naiveEnd(was.meta.annotations) <= commit.atMs) continue;
      report("INV199", `${operation} removed ${key} before its end.`, key);
    }
  }

  afterCommit({ changes }: Commit, { objects }: Truth, report: Report): void {
    for (const { before, after } of changes) {
      if (before?.kind !== "Tenant" || after !== undefined) continue;
      for (const object of [
        ...objects.all("Role").values(),
        ...objects.all("RoleBinding").values(),
      ]) {
        if (object.meta.namespace !== before.meta.name) continue;
        report("INV199", `${object.key} outlived its tenant.`, object.key);
      }
    }
  }

  private checkCommit(commit: Commit, { objects }: Truth, report: Report): void {
    const { operation, actor, atMs, changes } = commit;
    const taken = this.taken.get(operation);
    const key = changes[0]?.key;
    const what = `${commit.command} ${operation} of ${actor.name}`;
    if (taken === undefined || !taken.nowMs.includes(atMs)) {
      report("INV197", `${what} was committed, and no plane had asked its roles.`, key);
      return;
    }
    const { who, intent } = taken;
    const held = "key" in intent ? heldIn(objects, intent.key) : undefined;
    const missing = naiveRequests(intent, held).find(
      (request) => !naiveMay(objects, who, request, atMs),
    );
    if (missing !== undefined) {
      report(
        "INV197",
        `${what} was committed without the right to ${JSON.stringify(missing)}.`,
        key,
      );
    }
    const beyond = tooMuch(objects, who, intent);
    if (beyond !== undefined) report("INV198", `${what} gives what it lacks: ${beyond}.`, key);
  }

  attackAnswered(
    to: string,
    operation: OperationId,
    reply: Reply,
    _truth: Truth,
    report: Report,
  ): void {
    if (reply.kind !== "outcome" || !("code" in reply.outcome)) return;
    if (reply.outcome.code !== "role-escalated") return;
    const taken = this.taken.get(operation);
    if (taken === undefined || taken.wasTooMuch.includes(true)) return;
    const { field, actual } = reply.outcome;
    report("INV198", `${to} was refused ${operation} for ${field} (${actual}), which it may give.`);
  }

  atEnd({ objects, commits }: Truth, report: Report): void {
    // Agents renew their leases all the time, so the last commit tells the time.
    const latestMs = commits.at(-1)?.atMs ?? 0;
    for (const { name, place, endMs } of allBindings(objects)) {
      if (endMs === Number.POSITIVE_INFINITY || endMs > latestMs - LEFT_OVER_MS) continue;
      const key = `${place === "" ? "Cluster" : ""}RoleBinding/${place}/${name}` as ObjectKey;
      report("INV199", `${key} is still there ${latestMs - endMs} ms after its end.`, key);
    }
  }
}

type AnyBinding = RoleBinding | ClusterRoleBinding;

const asBinding = (object: AnyObject | undefined): AnyBinding | undefined =>
  object?.kind === "RoleBinding" || object?.kind === "ClusterRoleBinding" ? object : undefined;

function checkBinding(
  { operation, atMs }: Commit,
  was: AnyBinding | undefined,
  { key, meta, spec }: AnyBinding,
  report: Report,
): void {
  const { kind, name } = spec.roleRef;
  if (was !== undefined && (was.spec.roleRef.kind !== kind || was.spec.roleRef.name !== name)) {
    report("INV199", `${operation} turned ${key} into a binding of ${kind} ${name}.`, key);
  }
  const endMs = naiveEnd(meta.annotations);
  const isSame = was !== undefined && naiveEnd(was.meta.annotations) === endMs;
  if (!isSame && endMs <= atMs) {
    report("INV199", `${operation} made ${key}, which had ended before.`, key);
  }
  if (!isSame && name === "break-glass" && kind === "ClusterRole" && endMs - atMs > DAY_MS) {
    report("INV199", `${operation} made ${key} for longer than a day.`, key);
  }
}

const heldIn = (objects: Objects, key: ObjectKey): AnyObject | undefined =>
  objects.all(parseKey(key).kind).get(key);

const said = ({ plane, who, intent, asked }: AccessAsked): string => {
  const isAllowed = asked.every((each) => each.isAllowed);
  return `${plane} ${isAllowed ? "allowed" : "refused"} ${who.user} ${intent.kind} ${intent.operation}`;
};

/** What a command needs, told from the command itself. */
function naiveRequests(intent: Intent, held: AnyObject | undefined): readonly AccessRequest[] {
  if (intent.kind === "activate") {
    return [{ verb: "activate", group: "berth.dev", resource: "policies", name: intent.policy }];
  }
  if (intent.kind !== "put" && intent.kind !== "delete") return [];
  const [kind = "", namespace = "", name = ""] = intent.key.split("/");
  const group = kind.includes("Role") ? RBAC : "berth.dev";
  const resource = kind === "Policy" ? "policies" : `${kind.toLowerCase()}s`;
  const of = { group, resource, name, ...(namespace === "" ? {} : { namespace }) };
  if (intent.kind === "delete") return [{ verb: "delete", ...of }];
  const { desired } = intent;
  const write: AccessRequest = { verb: held === undefined ? "create" : "update", ...of };
  if (desired.kind === "Override") return [write, { ...of, verb: "override" }];
  if (desired.kind !== "Workload") return [write];
  const { priorityClass } = desired.spec.template;
  const before = held?.kind === "Workload" ? held.spec.template.priorityClass : "";
  if (priorityClass === "" || priorityClass === before) return [write];
  const use = { verb: "use", group: "berth.dev", resource: "priorityclasses" } as const;
  return [write, { ...use, name: priorityClass }];
}

const isAlike = (one: unknown, two: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(two);

/** What a write of a role or a binding gives that its writer lacks. */
function tooMuch(objects: Objects, who: Subject, intent: Intent): string | undefined {
  if (intent.kind !== "put") return undefined;
  const { desired, key } = intent;
  const [, place = "", name = ""] = key.split("/");
  if (desired.kind === "Role" || desired.kind === "ClusterRole") {
    const held = heldIn(objects, key) as Role | ClusterRole | undefined;
    if (held !== undefined && isAlike(held.spec.rules, desired.spec.rules)) return undefined;
    const endMs = Number.POSITIVE_INFINITY;
    const asks = mayGive("escalate", { kind: desired.kind, name }, place);
    if (naiveMay(objects, who, asks, endMs - 1)) return undefined;
    return naiveBeyond(objects, { who, rules: desired.spec.rules, place, endMs });
  }
  if (desired.kind !== "RoleBinding" && desired.kind !== "ClusterRoleBinding") return undefined;
  return boundTooMuch(objects, who, intent as BindingPut, place);
}

type BindingPut = IntentOf<"put"> & {
  readonly desired: { readonly spec: RoleBinding["spec"] };
};

function boundTooMuch(
  objects: Objects,
  who: Subject,
  { key, desired: { spec }, annotations }: BindingPut,
  place: string,
): string | undefined {
  const held = heldIn(objects, key) as AnyBinding | undefined;
  const endMs = naiveEnd(annotations ?? held?.meta.annotations);
  const isSame =
    held !== undefined && isAlike(held.spec, spec) && naiveEnd(held.meta.annotations) === endMs;
  if (isSame) return undefined;
  if (naiveMay(objects, who, mayGive("bind", spec.roleRef, place), endMs - 1)) return undefined;
  const rules = rulesOf(objects, spec.roleRef, place);
  if (rules === undefined) {
    return who.groups.includes("system:masters") ? undefined : "a role that does not exist";
  }
  return naiveBeyond(objects, { who, rules, place, endMs });
}

const mayGive = (
  verb: "escalate" | "bind",
  { kind, name }: { readonly kind: "Role" | "ClusterRole"; readonly name: string },
  place: string,
): AccessRequest => ({
  verb,
  group: RBAC,
  resource: kind === "Role" ? "roles" : "clusterroles",
  name,
  ...(place === "" ? {} : { namespace: place }),
});

export const createRolesChecker = (): Checker => new RolesChecker();
