import { expect, test } from "vitest";
import { CheckerHarness } from "../../../../test/builders/check/checker-harness.ts";
import { aMeta } from "../../../../test/builders/a-meta.ts";
import type { AccessRule, Subject } from "../../../core/model/access.ts";
import type { ObjectKey } from "../../../core/model/ids.ts";
import { operationId, tenantKey } from "../../../core/model/ids.ts";
import type { RoleBinding } from "../../../core/model/objects.ts";
import type { Desired, Intent } from "../../../core/protocol/command.ts";
import type { Reply } from "../../../core/protocol/outcome.ts";
import { actorOfPerson } from "../../roles/person-act.ts";
import type { AccessAsked, Answered } from "../../roles/roles-gate.ts";
import { createRolesChecker } from "./roles.ts";

const ANA = actorOfPerson("ana");
const who: Subject = { user: "ana", groups: ["devs", "system:authenticated"] };
const END = "berth.dev/expires-at";
const DAY_MS = 86_400_000;

function aBinding(role: string, { name = "one", end = "" } = {}): RoleBinding {
  const key = `RoleBinding/t1/${name}` as ObjectKey;
  const annotations = end === "" ? {} : { [END]: end };
  return {
    kind: "RoleBinding",
    key,
    meta: { ...aMeta(key), annotations },
    spec: {
      roleRef: { kind: "ClusterRole", name: role },
      subjects: [{ kind: "User", name: "ana" }],
    },
    status: {},
  };
}

const may = (request: Answered["request"], isAllowed: boolean, by = "RoleBinding/t1/one") => ({
  request,
  isAllowed,
  ...(isAllowed ? { by } : {}),
});
const list = { verb: "list", group: "", resource: "pods", namespace: "t1" } as const;
const escalating: readonly AccessRule[] = [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }];

function puttingRole(rules: readonly AccessRule[]): Intent {
  const desired: Desired = { kind: "Role", spec: { rules } };
  const key = "Role/t1/new" as ObjectKey;
  const operation = operationId("write");
  return { kind: "put", operation, key, desired, labels: {}, finalizers: [], expect: {} };
}
const asRole = {
  group: "rbac.authorization.k8s.io",
  resource: "roles",
  name: "new",
  namespace: "t1",
};

function harnessWith(...bindings: readonly RoleBinding[]): CheckerHarness {
  const harness = new CheckerHarness(createRolesChecker());
  harness.commit({ put: bindings, command: "put", operation: "setup" });
  return harness;
}

function ask(
  harness: CheckerHarness,
  of: Partial<AccessAsked> & Pick<AccessAsked, "intent">,
): void {
  const asked: AccessAsked = { plane: "plane-1", who, nowMs: 0, asked: [], reads: [], ...of };
  harness.checker.accessAsked?.(asked, harness.objects, harness, harness.report);
}

const rules = (harness: CheckerHarness) => harness.found.map((text) => text.split(" ")[0]);
const nothing: Intent = {
  kind: "delete",
  operation: operationId("d"),
  key: "Role/t1/x" as ObjectKey,
  expect: {},
};
const mayDelete = may({ ...asRole, verb: "delete", name: "x" }, true);

const reads = (isAllowed: boolean, by?: string) => [may(list, isAllowed, by)];

const found = (bindings: readonly RoleBinding[], asked: readonly Answered[]) => {
  const harness = harnessWith(...bindings);
  ask(harness, {
    intent: { ...nothing },
    asked: [may({ ...asRole, verb: "delete", name: "x" }, false)],
    reads: asked,
  });
  return rules(harness);
};

const commit = (harness: CheckerHarness) => {
  harness.commit({ actor: ANA, command: "delete", operation: "d", changes: [] });
  return rules(harness);
};

const atMs = (harness: CheckerHarness) => harness.commits.at(-1)?.atMs ?? 0;

const given = (rule: AccessRule, reply?: Reply) => {
  const harness = harnessWith(aBinding("admin"));
  const intent = puttingRole([rule]);
  const asked = [may({ ...asRole, verb: "create" }, true)];
  const nowMs = harness.commits.at(-1)?.atMs ?? 0;
  ask(harness, { intent, asked, nowMs });
  if (reply === undefined)
    harness.commit({ actor: ANA, command: "put", operation: "write", changes: [] });
  else {
    const { checker } = harness;
    checker.attackAnswered?.("person:ana", intent.operation, reply, harness, harness.report);
  }
  return rules(harness);
};

const outcome = {
  kind: "refused",
  code: "role-escalated",
  rule: "AZ12",
  field: "Role new",
  expected: "",
  actual: "",
  revision: 1,
} as const;
const refused: Reply = { kind: "outcome", epoch: 1, outcome };

test("answers that follow from the bindings are right, and their opposites are not [INV196]", () => {
  expect(found([aBinding("view")], reads(true))).toEqual([]);
  expect(found([], reads(false))).toEqual([]);
  expect(found([], reads(true))).toContain("INV196");
  expect(found([aBinding("view")], reads(false))).toEqual(["INV196"]);
  expect(found([aBinding("view", { end: "1970-01-01T00:00:00Z" })], reads(true))).toContain(
    "INV196",
  );
  expect(found([aBinding("view")], reads(true, "RoleBinding/t1/two"))).toEqual(["INV196"]);
});

test("a command that was let in without all its rights is reported [INV196]", () => {
  const harness = harnessWith(aBinding("admin"));
  const key = "Workload/t1/w" as ObjectKey;
  ask(harness, { intent: { ...nothing, key }, asked: [] });
  expect(harness.found).toEqual([]);
  ask(harness, { intent: { ...nothing, key: "Node//n1" as ObjectKey }, asked: [] });
  expect(rules(harness)).toEqual(["INV196"]);
});

test("a commit needs a right at that moment, and a plane that had asked for it [INV197]", () => {
  const allowed = harnessWith(aBinding("admin"));
  ask(allowed, { intent: nothing, asked: [mayDelete], nowMs: atMs(allowed) });
  expect(commit(allowed)).toEqual([]);
  expect(commit(harnessWith(aBinding("admin")))).toEqual(["INV197"]);
  const taken = harnessWith(aBinding("admin"));
  ask(taken, { intent: nothing, asked: [mayDelete], nowMs: atMs(taken) });
  taken.commit({ remove: ["RoleBinding/t1/one" as ObjectKey], command: "delete", operation: "x" });
  expect(commit(taken)).toEqual(["INV197"]);
});

test("a gift beyond what its writer has is reported, and so is a refused one within it [INV198]", () => {
  const log: AccessRule = { verbs: ["get"], apiGroups: [""], resources: ["pods/log"] };
  expect(given(log)).toEqual([]);
  expect(given(escalating[0] as AccessRule)).toEqual(["INV198"]);
  expect(given(log, refused)).toEqual(["INV198"]);
  expect(given(escalating[0] as AccessRule, refused)).toEqual([]);
});

test("a binding that changes its role, lives without an end or goes too early is reported [INV199]", () => {
  const written = (was: RoleBinding, is: RoleBinding | undefined) => {
    const harness = harnessWith(was);
    if (is === undefined) harness.commit({ remove: [was.key], command: "expire", operation: "e" });
    else harness.commit({ put: [is], command: "put", operation: "p" });
    return rules(harness);
  };
  expect(written(aBinding("view"), aBinding("view"))).toEqual([]);
  expect(written(aBinding("view"), aBinding("admin"))).toEqual(["INV199"]);
  expect(written(aBinding("view"), aBinding("view", { end: "1969-01-01T00:00:00Z" }))).toEqual([
    "INV199",
  ]);
  expect(written(aBinding("view", { end: "2999-01-01T00:00:00Z" }), undefined)).toEqual(["INV199"]);
  const fire = aBinding("break-glass", { name: "fire" });
  const harness = harnessWith(fire);
  expect(rules(harness)).toEqual(["INV199"]);
});

test("a binding that is left over long after its end is reported [INV199]", () => {
  const harness = harnessWith(aBinding("view", { end: "1970-01-01T00:02:00Z" }));
  expect(rules(harness)).toEqual([]);
  harness.nowMs = 150_000;
  harness.commit({ changes: [] });
  harness.finish();
  expect(rules(harness)).toEqual([]);
  harness.nowMs = DAY_MS;
  harness.commit({ changes: [] });
  harness.finish();
  expect(rules(harness)).toEqual(["INV199"]);
});

test("a role that outlives its tenant is reported [INV199]", () => {
  const tenant = { kind: "Tenant", key: tenantKey("t1"), meta: aMeta(tenantKey("t1")) } as const;
  const harness = harnessWith(aBinding("view"));
  harness.commit({ put: [{ ...tenant, spec: { displayName: "" }, status: {} }] });
  harness.commit({ remove: [tenant.key], command: "delete" });
  expect(rules(harness)).toEqual(["INV199"]);
});
