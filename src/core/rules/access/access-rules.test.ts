import { expect, test } from "vitest";
import { MASTERS_GROUP, type ResourceRequest } from "../../model/access.ts";
import { AccessRules } from "./access-rules.ts";

const anna = { user: "anna", groups: ["team-a"] };
const get: ResourceRequest = {
  verb: "get",
  group: "berth.dev",
  resource: "workloads",
  namespace: "payments",
  name: "risk-api",
};
const viewer = [{ verbs: ["get", "list"], apiGroups: ["berth.dev"], resources: ["workloads"] }];

function rulesWithViewer() {
  const rules = new AccessRules();
  rules.putRole({ ref: { kind: "ClusterRole", name: "viewer" }, rules: viewer });
  return rules;
}
const binding = {
  name: "team-a-views",
  namespace: "payments",
  roleRef: { kind: "ClusterRole", name: "viewer" },
  subjects: [{ kind: "Group", name: "team-a" }],
} as const;

test("a caller without a binding is refused, a master is not [AZ10]", () => {
  const rules = rulesWithViewer();
  expect(rules.decide(anna, get, 0).isAllowed).toBe(false);
  expect(rules.decide({ user: "root", groups: [MASTERS_GROUP] }, get, 0).isAllowed).toBe(true);
});

test("a role binding allows in its own namespace only, and says which binding it was [AZ10]", () => {
  const rules = rulesWithViewer();
  rules.putBinding(binding);
  expect(rules.decide(anna, get, 0)).toEqual({
    isAllowed: true,
    by: "RoleBinding/payments/team-a-views",
  });
  expect(rules.decide(anna, { ...get, namespace: "fraud" }, 0).isAllowed).toBe(false);
  const { namespace: _, ...everywhere } = get;
  expect(rules.decide(anna, everywhere, 0).isAllowed).toBe(false);
  expect(rules.decide(anna, { ...get, verb: "delete" }, 0).isAllowed).toBe(false);
  rules.removeBinding(binding);
  expect(rules.decide(anna, get, 0).isAllowed).toBe(false);
});

test("a binding allows nothing from the moment it expires", () => {
  const rules = rulesWithViewer();
  rules.putBinding({ ...binding, expiresMs: 1_000 });
  expect(rules.decide(anna, get, 999).isAllowed).toBe(true);
  expect(rules.decide(anna, get, 1_000).isAllowed).toBe(false);
});

test("a rule with resource names allows no request without a name", () => {
  const rules = new AccessRules();
  const ref = { kind: "ClusterRole", name: "one" } as const;
  rules.putRole({ ref, rules: [{ ...viewer[0], verbs: ["*"], resourceNames: ["risk-api"] }] });
  rules.putBinding({ ...binding, roleRef: ref });
  expect(rules.decide(anna, get, 0).isAllowed).toBe(true);
  expect(rules.decide(anna, { ...get, name: "ledger" }, 0).isAllowed).toBe(false);
  const { name: _, ...list } = get;
  expect(rules.decide(anna, { ...list, verb: "list" }, 0).isAllowed).toBe(false);
});

test("a resource does not include its subresources", () => {
  const rules = rulesWithViewer();
  rules.putBinding(binding);
  expect(rules.decide(anna, { ...get, subresource: "scale" }, 0).isAllowed).toBe(false);
});
