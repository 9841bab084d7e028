import { describe, expect, test } from "vitest";
import { aPlane, type Plane, putting } from "../../../../test/builders/a-plane.ts";
import { codeOf } from "../../../../test/builders/code-of.ts";
import type { AccessRule, BindingSubject, RoleRef } from "../../model/access.ts";
import type { Actor } from "../../model/actor.ts";
import type { ObjectKey } from "../../model/ids.ts";
import { tenantKey } from "../../model/ids.ts";
import { ACCESS_LIMITS } from "../../model/limits/access-limits.ts";
import { EXPIRES_ANNOTATION } from "../../rules/access/binding-end.ts";

const PLACE = "payments";
const key = (kind: string, name: string, namespace = "") =>
  `${kind}/${namespace}/${name}` as ObjectKey;
const ROOT: Actor = { role: "user", name: "root", by: { kind: "local" } };
const ana: Actor = {
  role: "user",
  name: "ana",
  by: { kind: "user", token: "12345678", groups: ["devs"] },
};
const rule = (verbs: readonly string[], resources: readonly string[]): AccessRule => ({
  verbs,
  apiGroups: ["berth.dev"],
  resources,
});
const words = (count: number) => Array.from({ length: count }, (_, at) => `w${at}`);
const writesRoles: AccessRule = {
  verbs: ["create", "update"],
  apiGroups: ["rbac.authorization.k8s.io"],
  resources: ["roles", "rolebindings"],
};

const puttingRole = (name: string, rules: readonly AccessRule[], namespace = PLACE) =>
  namespace === ""
    ? putting(key("ClusterRole", name), { kind: "ClusterRole", spec: { rules } })
    : putting(key("Role", name, namespace), { kind: "Role", spec: { rules } });

function puttingBinding(
  name: string,
  roleRef: RoleRef,
  {
    subjects = [{ kind: "User", name: "ana" }],
    namespace = PLACE,
    until,
  }: { subjects?: readonly BindingSubject[]; namespace?: string; until?: string } = {},
) {
  const spec = { roleRef, subjects };
  const kind = namespace === "" ? "ClusterRoleBinding" : "RoleBinding";
  const put = putting(key(kind, name, namespace), { kind, spec });
  return until === undefined ? put : { ...put, annotations: { [EXPIRES_ANNOTATION]: until } };
}

/** `ana` may read and scale workloads of payments, and write roles and bindings there. */
function aPlaneOfAna(): Plane {
  const plane = aPlane();
  plane.must(puttingRole("ana", [writesRoles, rule(["get", "update"], ["workloads"])]));
  plane.must(puttingBinding("ana", { kind: "Role", name: "ana" }));
  return plane;
}

const glass: RoleRef = { kind: "ClusterRole", name: "break-glass" };
const sendGlass = (until?: string) =>
  codeOf(
    aPlane().send(
      puttingBinding("fire", glass, {
        namespace: "",
        ...(until === undefined ? {} : { until }),
      }),
      { actor: ROOT },
    ),
  );
const sendRules = (rules: readonly AccessRule[]) => codeOf(aPlane().send(puttingRole("r", rules)));

describe("a writer of roles", () => {
  test.each([
    { rules: [rule(["get"], ["workloads"])], code: "committed" },
    { rules: [rule(["get", "update"], ["workloads"]), writesRoles], code: "committed" },
    { rules: [], code: "committed" },
    { rules: [rule(["get", "delete"], ["workloads"])], code: "role-escalated" },
    { rules: [rule(["get"], ["workloads", "nodes"])], code: "role-escalated" },
    { rules: [rule(["*"], ["workloads"])], code: "role-escalated" },
    { rules: [rule(["get"], ["*"])], code: "role-escalated" },
    { rules: [{ ...rule(["get"], ["workloads"]), apiGroups: ["*"] }], code: "role-escalated" },
  ])("gives only what it has: $rules is $code [AZ12]", ({ rules, code }) => {
    const plane = aPlaneOfAna();
    expect(codeOf(plane.send(puttingRole("new", rules), { actor: ana }))).toBe(code);
  });

  test("has in one namespace nothing of another, and nothing of the whole cluster [AZ12]", () => {
    const plane = aPlaneOfAna();
    plane.must(putting(tenantKey("fraud"), { kind: "Tenant", spec: { displayName: "" } }));
    const rules = [rule(["get"], ["workloads"])];
    for (const namespace of ["fraud", ""]) {
      const outcome = plane.send(puttingRole("new", rules, namespace), { actor: ana });
      expect(codeOf(outcome)).toBe("role-escalated");
    }
  });

  test("gives a right under Kubernetes' name of a resource that it has under Berth's [AZ2] [AZ12]", () => {
    const plane = aPlaneOfAna();
    plane.must(puttingRole("reads", [rule(["get"], ["replicas"]), rule(["log"], ["replicas"])]));
    plane.must(puttingBinding("reads", { kind: "Role", name: "reads" }));
    const named = (verbs: readonly string[], resources: readonly string[]) => {
      const put = puttingRole("new", [{ ...rule(verbs, resources), apiGroups: [""] }]);
      return codeOf(plane.send(put, { actor: ana }));
    };
    expect(named(["get"], ["pods"])).toBe("committed");
    expect(named(["get"], ["pods/log"])).toBe("committed");
    expect(named(["get", "list"], ["pods"])).toBe("role-escalated");
    expect(named(["list"], ["pods/log"])).toBe("role-escalated");
    expect(named(["get"], ["pods/exec"])).toBe("role-escalated");
    expect(named(["get"], ["secrets"])).toBe("role-escalated");
  });

  test("who may get everything cannot give the power that a subresource is [AZ12]", () => {
    const plane = aPlaneOfAna();
    const reads: AccessRule = { verbs: ["get"], apiGroups: ["*"], resources: ["*"] };
    plane.must(puttingRole("reads", [reads, writesRoles]));
    plane.must(puttingBinding("reads", { kind: "Role", name: "reads" }));
    const log: AccessRule = { verbs: ["get"], apiGroups: [""], resources: ["pods/log"] };
    expect(codeOf(plane.send(puttingRole("log", [log]), { actor: ana }))).toBe("role-escalated");
  });

  test("may write any role with the verb escalate, and an administrator always may [AZ12]", () => {
    const plane = aPlaneOfAna();
    const all = [rule(["*"], ["*"])];
    expect(codeOf(plane.send(puttingRole("a", all), { actor: ROOT }))).toBe("committed");
    const escalate = { ...writesRoles, verbs: ["escalate"], resources: ["roles"] };
    plane.must(puttingRole("ana", [writesRoles, escalate]));
    expect(codeOf(plane.send(puttingRole("b", all), { actor: ana }))).toBe("committed");
  });

  test("an anonymous sender has no rules, whatever it is called [AZ12]", () => {
    const plane = aPlaneOfAna();
    const anonymous: Actor = { role: "user", name: "ana", by: { kind: "user" } };
    const put = puttingRole("new", [rule(["get"], ["workloads"])]);
    expect(codeOf(plane.send(put, { actor: anonymous }))).toBe("role-escalated");
  });

  test("a comparison that takes too much work is refused [AZ12]", () => {
    const plane = aPlaneOfAna();
    const most = ACCESS_LIMITS.rules.value;
    const many = Array.from({ length: most }, (_, at) => rule([`v${at}`], ["x"]));
    for (let at = 0; at < 40; at += 1) {
      plane.must(puttingRole(`many-${at}`, many));
      plane.must(puttingBinding(`many-${at}`, { kind: "Role", name: `many-${at}` }));
    }
    const verbs = Array.from({ length: 40 }, (_, at) => `v${at}`);
    // Each part is in one of the caller's rules, and no rule of the caller has all parts.
    const outcome = plane.send(puttingRole("wide", [rule(verbs, ["x"])]), { actor: ana });
    expect(codeOf(outcome)).toBe("committed");
    const wide = Array.from({ length: 40 }, () => rule(verbs, ["x"]));
    expect(plane.send(puttingRole("wider", wide), { actor: ana })).toMatchObject({
      code: "role-escalated",
      actual: "too many rules to compare",
    });
  });
});

describe("a writer of bindings", () => {
  test("binds a role of which it may do all, and no other [AZ12]", () => {
    const plane = aPlaneOfAna();
    plane.must(puttingRole("less", [rule(["get"], ["workloads"])]));
    const bind = (roleRef: RoleRef) =>
      codeOf(plane.send(puttingBinding(`to-${roleRef.name}`, roleRef), { actor: ana }));
    expect(bind({ kind: "Role", name: "less" })).toBe("committed");
    expect(bind({ kind: "ClusterRole", name: "view" })).toBe("role-escalated");
    expect(bind({ kind: "ClusterRole", name: "cluster-admin" })).toBe("role-escalated");
    expect(bind({ kind: "Role", name: "missing" })).toBe("role-escalated");
  });

  test("binds a role by the verb bind on its name, in that namespace only [AZ12]", () => {
    const plane = aPlaneOfAna();
    const bind: AccessRule = {
      ...writesRoles,
      verbs: ["bind"],
      resources: ["clusterroles"],
      resourceNames: ["view"],
    };
    plane.must(puttingRole("ana", [writesRoles, bind]));
    const send = (name: string, namespace = PLACE) =>
      codeOf(
        plane.send(puttingBinding(name, { kind: "ClusterRole", name }, { namespace }), {
          actor: ana,
        }),
      );
    expect(send("view")).toBe("committed");
    expect(send("edit")).toBe("role-escalated");
    expect(send("view", "")).toBe("role-escalated");
  });

  test("a tenant's admin gives view, edit and admin of its namespace [AZ12]", () => {
    const plane = aPlane();
    plane.must(puttingBinding("admins", { kind: "ClusterRole", name: "admin" }));
    for (const name of ["view", "edit", "admin"]) {
      const put = puttingBinding(`new-${name}`, { kind: "ClusterRole", name });
      expect(codeOf(plane.send(put, { actor: ana }))).toBe("committed");
    }
    const put = puttingBinding("new-operator", { kind: "ClusterRole", name: "operator" });
    expect(codeOf(plane.send(put, { actor: ana }))).toBe("role-escalated");
  });

  test("cannot add itself to a binding of more, and may change its labels [AZ12]", () => {
    const plane = aPlaneOfAna();
    const roleRef: RoleRef = { kind: "ClusterRole", name: "admin" };
    const bob: BindingSubject = { kind: "User", name: "bob" };
    plane.must(puttingBinding("admins", roleRef, { subjects: [bob] }));
    const labelled = {
      ...puttingBinding("admins", roleRef, { subjects: [bob] }),
      labels: { team: "a" },
    };
    expect(codeOf(plane.send(labelled, { actor: ana }))).toBe("committed");
    const wider = puttingBinding("admins", roleRef, {
      subjects: [bob, { kind: "Group", name: "devs" }],
    });
    expect(codeOf(plane.send(wider, { actor: ana }))).toBe("role-escalated");
  });

  test("cannot turn a binding into one of another role [AZ13]", () => {
    const plane = aPlaneOfAna();
    const put = puttingBinding("ana", { kind: "ClusterRole", name: "view" });
    expect(codeOf(plane.send(put, { actor: ROOT }))).toBe("role-ref-fixed");
  });
});

describe("a binding with an end", () => {
  const HOUR = "1970-01-01T01:00:00Z";
  const view: RoleRef = { kind: "ClusterRole", name: "view" };
  const ask = { verb: "get", group: "berth.dev", resource: "workloads", namespace: PLACE } as const;
  const subject = { user: "ana", groups: [] };

  test("allows until then and not from then on [AZ14]", () => {
    const plane = aPlane();
    plane.must(puttingBinding("views", view, { until: HOUR }));
    const { access } = plane.ledger.objects;
    expect(access.decide(subject, ask, 3_599_999).isAllowed).toBe(true);
    expect(access.decide(subject, ask, 3_600_000).isAllowed).toBe(false);
  });

  test.each(["tomorrow", "1970-02-30T00:00:00Z", "1970-01-01T00:00:00+01:00", ""])(
    "is rejected when the end is %j [AZ14]",
    (until) => {
      const put = puttingBinding("views", view, { until });
      expect(codeOf(aPlane().send(put, { actor: ROOT }))).toBe("bad-object");
    },
  );

  test("cannot begin after its end, and gives its subjects nothing that they can give for longer [AZ12][AZ14]", () => {
    const plane = aPlaneOfAna();
    plane.must(puttingBinding("views", view, { until: HOUR }));
    const longer = puttingBinding("views", view, { until: "1971-01-01T00:00:00Z" });
    expect(codeOf(plane.send(longer, { actor: ana }))).toBe("role-escalated");
    const shorter = puttingBinding("mine", view, { until: "1970-01-01T00:30:00Z" });
    expect(codeOf(plane.send(shorter, { actor: ana }))).toBe("committed");
    plane.nowMs = 3_600_000;
    const late = puttingBinding("late", view, { until: HOUR });
    expect(codeOf(plane.send(late, { actor: ROOT }))).toBe("bad-object");
  });

  test("gives break-glass for a day at most, and never without an end [AZ15]", () => {
    expect(sendGlass()).toBe("bad-object");
    expect(sendGlass("1970-01-02T00:00:01Z")).toBe("bad-object");
    expect(sendGlass("1970-01-02T00:00:00Z")).toBe("committed");
  });
});

test("no role can be written under the name of a ready one [AZ11]", () => {
  const put = puttingRole("view", [], "");
  expect(codeOf(aPlane().send(put, { actor: ROOT }))).toBe("bad-object");
});

describe("the bounds of roles", () => {
  test("a role has so many rules, entries and combinations [AZ16]", () => {
    const { rules, entries } = ACCESS_LIMITS;
    const one = rule(["get"], ["workloads"]);
    const times = (count: number) => Array.from({ length: count }, () => one);
    expect(sendRules(times(rules.value))).toBe("committed");
    expect(sendRules(times(rules.value + 1))).toBe("bad-object");
    expect(sendRules([rule(words(entries.value + 1), ["workloads"])])).toBe("bad-object");
    const wide = rule(words(entries.value), words(entries.value));
    expect(sendRules([wide, wide, wide, wide])).toBe("committed");
    expect(sendRules([wide, wide, wide, wide, one])).toBe("bad-object");
  });

  test("a tenant has so many roles, and all of them go with it [AZ16]", () => {
    const plane = aPlane();
    plane.must(putting(tenantKey("fraud"), { kind: "Tenant", spec: { displayName: "" } }));
    const most = ACCESS_LIMITS.tenantRoles.value;
    for (let at = 0; at < most; at += 1) plane.must(puttingRole(`r${at}`, [], "fraud"));
    expect(codeOf(plane.send(puttingRole("more", [], "fraud")))).toBe("tenant-full");
    plane.must(puttingBinding("b", { kind: "Role", name: "r1" }, { namespace: "fraud" }));
    plane.must({ kind: "delete", key: tenantKey("fraud"), expect: {} });
    expect(plane.ledger.objects.all("Role").size).toBe(0);
    expect(plane.ledger.objects.all("RoleBinding").size).toBe(0);
    const asked = {
      verb: "get",
      group: "berth.dev",
      resource: "workloads",
      namespace: "fraud",
    } as const;
    const { access } = plane.ledger.objects;
    expect(access.decide({ user: "ana", groups: [] }, asked, 0).isAllowed).toBe(false);
  });
});
