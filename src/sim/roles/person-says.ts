/**
 * What a person says in each act, with targets among the objects that it sees: names come from few,
 * so that people meet each other's objects, and what they ask for is often not theirs to have.
 */
import type { AccessRule, BindingSubject, RoleRef } from "../../core/model/access.ts";
import { type ObjectKey, type OperationId, workloadKey } from "../../core/model/ids.ts";
import { overrideKey } from "../../core/model/override.ts";
import type { AnyObject } from "../../core/model/objects.ts";
import { secretKey } from "../../core/model/secret/secret-refs.ts";
import { utcText } from "../../core/model/text/utc-text.ts";
import type { View } from "../../core/observe/view.ts";
import type { Intent, IntentOf } from "../../core/protocol/command.ts";
import { EXPIRES_ANNOTATION } from "../../core/rules/access/binding-end.ts";
import { inOrder } from "../hostile/guessed-operations.ts";
import { worldWorkload } from "../world/build-world.ts";
import { secretOf } from "../world/secrets-of-world.ts";
import { GROUPS, OTHERS, type Person, type PersonActKind } from "./person-act.ts";

export interface Occasion {
  readonly who: Person;
  readonly view: View;
  readonly operation: OperationId;
  /** The time on the clock of the plane that leads, as far as it is known. */
  readonly nowMs: number;
  readonly pick: <T>(what: string, from: readonly T[]) => T | undefined;
  readonly draw: (what: string, count: number) => number;
}

export type Says = (occasion: Occasion) => Intent | undefined;

const VERBS = [
  "get",
  "list",
  "create",
  "update",
  "delete",
  "use",
  "bind",
  "escalate",
  "*",
] as const;
const RBAC = "rbac.authorization.k8s.io";
/** By group: those of one group in one rule, as people write them. */
const RESOURCES: readonly (readonly [group: string, resources: readonly string[]])[] = [
  ["berth.dev", ["workloads", "replicas", "secrets", "tenants", "priorityclasses", "*"]],
  ["berth.dev", ["workloads", "overrides", "policies", "replicas/log"]],
  ["", ["pods", "pods/log", "pods/exec", "namespaces", "secrets"]],
  [RBAC, ["roles", "rolebindings", "clusterroles", "clusterrolebindings", "*"]],
  ["*", ["*", "workloads", "pods", "roles"]],
];
const PATHS = ["/metrics", "/metrics*", "/backup", "*"];
/** Few, so that an act often meets an object of an earlier one. */
const NAMES = ["one", "two", "three"] as const;
const READY = ["admin", "admin", "edit", "view", "operator", "cluster-admin"] as const;
/** What a tenant's administrator may give, under either name. */
const MODEST: readonly (readonly [group: string, resources: readonly string[]])[] = [
  ["", ["pods", "pods/log", "secrets", "namespaces"]],
  ["berth.dev", ["workloads", "replicas", "tenants"]],
  [RBAC, ["roles", "rolebindings"]],
];
const STRONG = ["admin", "cluster-admin", "operator", "edit"] as const;
const TINY = { cpuMillis: 10, memoryMiB: 8 };
const DAY_MS = 86_400_000;

export const PERSON_SAYS: Readonly<Record<PersonActKind, Says>> = {
  "write-role": (at) => {
    const isOfAll = at.draw("role of all", 2) === 0;
    return put(at, roleKey(at, isOfAll), {
      kind: isOfAll ? "ClusterRole" : "Role",
      spec: { rules: rulesOf(at, isOfAll) },
    });
  },
  "drop-role": (at) => dropOne(at, ["Role", "ClusterRole"]),
  bind: (at) => {
    const isOfAll = at.draw("binding of all", 4) === 0;
    return bind(at, { isOfAll, roleRef: roleRefOf(at, isOfAll), subjects: subjectsOf(at) });
  },
  unbind: (at) => dropOne(at, ["RoleBinding", "ClusterRoleBinding"]),
  rebind: (at) => {
    const held = at.pick("binding", bindingsOf(at.view));
    if (held === undefined) return undefined;
    const isOfAll = held.kind === "ClusterRoleBinding";
    const isOther = at.draw("another role", 3) === 0;
    const roleRef = isOther ? roleRefOf(at, isOfAll) : held.spec.roleRef;
    const subjects = at.draw("other subjects", 2) === 0 ? subjectsOf(at) : held.spec.subjects;
    const spec = { roleRef, subjects };
    return put(at, held.key, { kind: held.kind, spec }, endOf(at));
  },
  "take-over": (at) => {
    if (at.draw("by a role", 3) === 0) {
      const rules: AccessRule[] = [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }];
      const isOfAll = at.draw("role of all", 2) === 0;
      const kind = isOfAll ? "ClusterRole" : "Role";
      return put(at, roleKey(at, isOfAll), { kind, spec: { rules } });
    }
    const name = at.pick("strong", STRONG) ?? "admin";
    const isOfAll = at.draw("of all", 2) === 0;
    const subjects = [{ kind: "User", name: at.who }] as const;
    return bind(at, { isOfAll, roleRef: { kind: "ClusterRole", name }, subjects });
  },
  "break-glass": (at) => {
    const key = "ClusterRoleBinding//fire" as ObjectKey;
    const roleRef = { kind: "ClusterRole", name: "break-glass" } as const;
    const desired = { kind: "ClusterRoleBinding", spec: { roleRef, subjects: subjectsOf(at) } };
    const lasts = at.pick("lasts", [6_000, 15_000, 15_000, DAY_MS + 60_000, undefined]);
    return put(at, key, desired as Desired, lasts === undefined ? {} : endAt(at, lasts));
  },
  "write-work": (at) => {
    const tenant = tenantOf(at);
    const name = `of-people-${nameOf(at)}`;
    const isUrgent = at.draw("urgent", 3) === 0;
    const urgent = isUrgent ? at.pick("class", classesOf(at.view)) : undefined;
    const { spec, labels } = worldWorkload({
      tenant,
      name,
      replicas: at.draw("replicas", 3),
      amounts: TINY,
      ...(urgent === undefined ? {} : { priorityClass: urgent }),
    });
    return { ...put(at, workloadKey(tenant, name), { kind: "Workload", spec }), labels };
  },
  "drop-work": (at) => drop(at, workloadKey(tenantOf(at), `of-people-${nameOf(at)}`)),
  "write-secret": (at) => put(at, secretKey(tenantOf(at), nameOf(at)), secretOf(["token"])),
  "drop-secret": (at) => drop(at, secretKey(tenantOf(at), nameOf(at))),
  activate: (at) => {
    const policy = at.pick("policy", inOrder(at.view.objects.all("Policy").values()));
    const to = at.pick("revision", inOrder(at.view.objects.all("PolicyRevision").values()));
    if (policy === undefined || to === undefined) return undefined;
    const of = { policy: policy.meta.name, from: policy.spec.active ?? "", to: to.meta.name };
    return { kind: "activate", operation: at.operation, ...of, reason: "tried" };
  },
  override: (at) => {
    const node = at.pick("node", inOrder(at.view.objects.all("Node").values()))?.meta.name;
    if (node === undefined) return undefined;
    const ttlMs = 1_000 + at.draw("ttl", 8_000);
    const target = { node };
    const spec = { action: "avoid-node", target, reason: "tried", ttlMs } as const;
    return put(at, overrideKey(`of-${at.who}-${nameOf(at)}`), { kind: "Override", spec });
  },
};

type Desired = IntentOf<"put">["desired"];

function put(
  { operation }: Occasion,
  key: ObjectKey,
  desired: Desired,
  annotations?: Readonly<Record<string, string>>,
): IntentOf<"put"> {
  const more = annotations === undefined ? {} : { annotations };
  const bare = { labels: {}, finalizers: [], expect: {} };
  return { kind: "put", operation, key, desired, ...more, ...bare };
}

const drop = ({ operation }: Occasion, key: ObjectKey): Intent => ({
  kind: "delete",
  operation,
  key,
  expect: {},
});

type KindOfAccess = "Role" | "ClusterRole" | "RoleBinding" | "ClusterRoleBinding";

function dropOne(at: Occasion, kinds: readonly KindOfAccess[]): Intent | undefined {
  const found = kinds.flatMap((kind): AnyObject[] => [...at.view.objects.all(kind).values()]);
  const held = at.pick("dropped", inOrder(found));
  return held && drop(at, held.key);
}

function bind(
  at: Occasion,
  of: {
    readonly isOfAll: boolean;
    readonly roleRef: RoleRef;
    readonly subjects: readonly BindingSubject[];
  },
): Intent {
  const kind = of.isOfAll ? "ClusterRoleBinding" : "RoleBinding";
  const key = `${kind}/${of.isOfAll ? "" : tenantOf(at)}/${nameOf(at)}` as ObjectKey;
  const { roleRef, subjects } = of;
  return put(at, key, { kind, spec: { roleRef, subjects } }, endOf(at));
}

/** A third of all bindings end soon; some ends are in the past. */
function endOf(at: Occasion): Readonly<Record<string, string>> {
  if (at.draw("ends", 3) > 0) return {};
  return endAt(at, at.draw("end", 30_000) - 1_000);
}

const endAt = ({ nowMs }: Occasion, inMs: number): Readonly<Record<string, string>> => ({
  [EXPIRES_ANNOTATION]: utcText(Math.max(0, nowMs + inMs)),
});

const nameOf = (at: Occasion): string => at.pick("name", NAMES) ?? "one";

const tenantOf = (at: Occasion): string =>
  at.pick("tenant", inOrder(at.view.objects.all("Tenant").values()))?.meta.name ?? "t1";

const roleKey = (at: Occasion, isOfAll: boolean): ObjectKey =>
  (isOfAll ? `ClusterRole//${nameOf(at)}` : `Role/${tenantOf(at)}/${nameOf(at)}`) as ObjectKey;

function roleRefOf(at: Occasion, isOfAll: boolean): RoleRef {
  const written = nameOf(at);
  const isWritten = at.draw("written role", 3) === 0;
  if (!isWritten) return { kind: "ClusterRole", name: at.pick("ready role", READY) ?? "view" };
  const kind = isOfAll || at.draw("of its tenant", 2) === 0 ? "ClusterRole" : "Role";
  return { kind, name: written };
}

function subjectsOf(at: Occasion): readonly BindingSubject[] {
  const one = (what: string): BindingSubject =>
    at.draw(`${what} is a group`, 3) === 0
      ? { kind: "Group", name: at.pick(what, GROUPS) ?? "devs" }
      : { kind: "User", name: at.pick(what, OTHERS) ?? "ana" };
  const [first, second] = [one("subject"), one("second subject")];
  const isSame = first.kind === second.kind && first.name === second.name;
  return isSame || at.draw("one subject", 2) === 0 ? [first] : [first, second];
}

function rulesOf(at: Occasion, isOfAll: boolean): readonly AccessRule[] {
  if (at.draw("modest", 2) === 0) {
    const [group, resources] = at.pick("group", MODEST) ?? ["", ["pods"]];
    const resource = at.pick("resource", resources) ?? "pods";
    const verb = at.pick("verb", ["get", "list", "delete"]) ?? "get";
    const names = at.draw("named", 3) === 0 ? { resourceNames: [nameOf(at)] } : {};
    return [{ verbs: [verb], apiGroups: [group], resources: [resource], ...names }];
  }
  const rules = Array.from({ length: 1 + at.draw("rules", 3) }, (_, of) => ruleOf(at, of));
  if (!isOfAll || at.draw("paths", 4) > 0) return rules;
  const path = at.pick("path", PATHS) ?? "/metrics";
  return [...rules, { verbs: ["get"], nonResourceURLs: [path] }];
}

function ruleOf(at: Occasion, of: number): AccessRule {
  const some = <T>(what: string, from: readonly T[], most: number): readonly T[] => [
    ...new Set(
      Array.from({ length: 1 + at.draw(`${what} ${of}`, most) }, (_, one) =>
        at.pick(`${what} ${of} ${one}`, from),
      ).filter((each) => each !== undefined),
    ),
  ];
  const [group, resources] = at.pick(`group ${of}`, RESOURCES) ?? ["berth.dev", ["workloads"]];
  const names = at.draw(`named ${of}`, 4) === 0 ? { resourceNames: some("name", NAMES, 2) } : {};
  return {
    verbs: some("verb", VERBS, 4),
    apiGroups: [group],
    resources: some("resource", resources, 2),
    ...names,
  };
}

const bindingsOf = (view: View) =>
  inOrder([
    ...view.objects.all("RoleBinding").values(),
    ...view.objects.all("ClusterRoleBinding").values(),
  ]);

const classesOf = (view: View): readonly string[] =>
  inOrder(view.objects.all("PriorityClass").values()).map(({ meta }) => meta.name);
