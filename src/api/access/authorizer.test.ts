import { describe, expect, test } from "vitest";
import { anAuthorizer } from "../../../test/builders/an-authorizer.ts";
import { AccessRules } from "../../core/rules/access/access-rules.ts";
import type { Caller } from "../http/caller.ts";
import { KEPT_MS } from "./authorizer.ts";

const ana: Caller = { kind: "user", name: "ana", groups: [], how: "token" };
const view = { kind: "ClusterRole", name: "view" } as const;
const binding = {
  name: "ana",
  namespace: "payments",
  roleRef: view,
  subjects: [{ kind: "User", name: "ana" }],
} as const;
const api = { kind: "Workload", namespace: "payments", name: "api" } as const;

describe("the authorizer", () => {
  test("tells apart what a caller sees in two namespaces [AZ44]", () => {
    const rules = new AccessRules();
    rules.putBinding(binding);
    const authorizer = anAuthorizer(rules);
    expect(authorizer.canSee(ana, api)).toBe(true);
    expect(authorizer.canSee(ana, { ...api, namespace: "fraud" })).toBe(false);
    expect(authorizer.canSeeAll(ana, "Workload")).toBe(false);
  });

  test("forgets what it answered as soon as a role or a binding changes [AZ43]", () => {
    const rules = new AccessRules();
    const authorizer = anAuthorizer(rules);
    rules.putBinding(binding);
    expect(authorizer.canSee(ana, api)).toBe(true);
    rules.removeBinding(binding);
    expect(authorizer.canSee(ana, api)).toBe(false);
  });

  test("forgets it after a second, because bindings expire without a change [AZ43]", () => {
    const rules = new AccessRules();
    let nowMs = 0;
    const authorizer = anAuthorizer(rules, () => nowMs);
    rules.putBinding({ ...binding, expiresMs: 500 });
    expect(authorizer.canSee(ana, api)).toBe(true);
    nowMs = KEPT_MS;
    expect(authorizer.canSee(ana, api)).toBe(false);
  });

  test("keeps answers for each caller and its groups apart [AZ43]", () => {
    const rules = new AccessRules();
    const subjects = [{ kind: "Group", name: "devs" }] as const;
    rules.putBinding({ ...binding, subjects });
    const authorizer = anAuthorizer(rules);
    expect(authorizer.canSee(ana, api)).toBe(false);
    expect(authorizer.canSee({ ...ana, groups: ["devs"] }, api)).toBe(true);
    expect(authorizer.canSee(ana, api)).toBe(false);
  });
});
