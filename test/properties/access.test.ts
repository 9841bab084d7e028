/**
 * Random roles, bindings and requests: the index of roles decides as a scan over all of them does that was written
 * apart from it, and no caller that writes roles and bindings by the authority ever comes to more than it was given.
 */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type {
  AccessRequest,
  AccessRule,
  BindingSubject,
  RoleRef,
  Subject,
} from "../../src/core/model/access.ts";
import type { ObjectKey } from "../../src/core/model/ids.ts";
import { tenantKey } from "../../src/core/model/ids.ts";
import type { Actor } from "../../src/core/model/actor.ts";
import {
  AccessRules,
  type HeldBinding,
  type HeldRole,
} from "../../src/core/rules/access/access-rules.ts";
import { EXPIRES_ANNOTATION } from "../../src/core/rules/access/binding-end.ts";
import { aPlane, putting } from "../builders/a-plane.ts";
import { mayByScan } from "./naive-access.ts";
import { runs, TIME_LIMIT_MS } from "./runs.ts";

const SPACES = ["payments", "fraud"];
const VERBS = ["get", "list", "delete", "bind", "escalate"];
const GROUPS = ["berth.dev", "rbac.authorization.k8s.io"];
const RESOURCES = ["workloads", "workloads/scale", "roles"];
const NAMES = ["a", "b"];

/** As JSON makes them. */
const record = ((model: never, constraints: object = {}) =>
  fc.record(model, { noNullPrototype: true, ...constraints })) as unknown as typeof fc.record;

const some = (words: readonly string[]) =>
  fc.subarray([...words, "*"], { minLength: 1, maxLength: 2 });
const rule: fc.Arbitrary<AccessRule> = fc.oneof(
  { weight: 4, arbitrary: resourceRule() },
  { weight: 1, arbitrary: record({ verbs: some(VERBS), nonResourceURLs: paths() }) },
);
function resourceRule(): fc.Arbitrary<AccessRule> {
  return record(
    {
      verbs: some(VERBS),
      apiGroups: some(GROUPS),
      resources: some(RESOURCES),
      resourceNames: fc.subarray(NAMES, { minLength: 1 }),
    },
    { requiredKeys: ["verbs", "apiGroups", "resources"] },
  );
}
function paths(): fc.Arbitrary<string[]> {
  return fc.subarray(["/metrics", "/met*", "/audit"], { minLength: 1 });
}
const space = fc.constantFrom(...SPACES);
const roleRef: fc.Arbitrary<RoleRef> = record({
  kind: fc.constantFrom("Role" as const, "ClusterRole" as const),
  name: fc.constantFrom("one", "view"),
});
const bindingSubject: fc.Arbitrary<BindingSubject> = fc.oneof(
  record({ kind: fc.constant("User" as const), name: fc.constantFrom("ana", "bob") }),
  record({ kind: fc.constant("Group" as const), name: fc.constantFrom("devs", "ops") }),
  record({
    kind: fc.constant("ServiceAccount" as const),
    name: fc.constant("bot"),
    namespace: space,
  }),
);
const role: fc.Arbitrary<HeldRole> = fc
  .tuple(roleRef, space, fc.array(rule, { minLength: 1, maxLength: 4 }))
  .map(([ref, namespace, rules]) =>
    ref.kind === "Role"
      ? { ref, namespace, rules }
      : { ref: { ...ref, name: `c-${ref.name}` }, rules },
  );
const binding: fc.Arbitrary<HeldBinding> = fc
  .record({
    name: fc.constantFrom("u", "v", "w", "x", "y", "z"),
    ref: roleRef,
    namespace: fc.option(space, { nil: undefined }),
    subjects: fc.array(bindingSubject, { minLength: 1, maxLength: 4 }),
    end: fc.option(fc.integer({ min: 0, max: 20 }), { nil: undefined }),
  })
  .map(({ name, ref, namespace, subjects, end }) => {
    const isReady = ref.name === "view";
    const roleName = ref.kind === "Role" || isReady ? ref.name : `c-${ref.name}`;
    const kind = namespace === undefined ? ("ClusterRole" as const) : ref.kind;
    return {
      name,
      roleRef: { kind, name: roleName },
      subjects,
      ...(namespace === undefined ? {} : { namespace }),
      ...(end === undefined ? {} : { expiresMs: end }),
    };
  });
const subject: fc.Arbitrary<Subject> = record({
  user: fc.constantFrom("ana", "bob", "system:serviceaccount:payments:bot"),
  groups: fc.subarray(["devs", "ops", "system:authenticated"]),
});
const request: fc.Arbitrary<AccessRequest> = fc.oneof(
  {
    weight: 5,
    arbitrary: record(
      {
        verb: fc.constantFrom("get" as const, "list" as const, "delete" as const),
        group: fc.constantFrom(...GROUPS),
        resource: fc.constantFrom("workloads", "roles"),
        subresource: fc.constant("scale"),
        namespace: space,
        name: fc.constantFrom(...NAMES),
      },
      { requiredKeys: ["verb", "group", "resource"] },
    ),
  },
  {
    weight: 1,
    arbitrary: record({
      verb: fc.constantFrom("get" as const, "delete" as const),
      path: fc.constantFrom("/metrics", "/metal", "/audit", "/healthz"),
    }),
  },
);

type Step =
  | { readonly do: "role"; readonly role: HeldRole }
  | { readonly do: "no-role"; readonly role: HeldRole }
  | { readonly do: "binding"; readonly binding: HeldBinding }
  | { readonly do: "no-binding"; readonly binding: HeldBinding };
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: record({ do: fc.constant("role" as const), role }) },
  { weight: 1, arbitrary: record({ do: fc.constant("no-role" as const), role }) },
  { weight: 4, arbitrary: record({ do: fc.constant("binding" as const), binding }) },
  { weight: 1, arbitrary: record({ do: fc.constant("no-binding" as const), binding }) },
);

const keyOfRole = ({ ref, namespace = "" }: HeldRole) => `${ref.kind}/${namespace}/${ref.name}`;
const keyOfBinding = ({ name, namespace = "" }: HeldBinding) => `${namespace}/${name}`;

/** Puts and removes as a fold does: what is replaced is removed first. */
function carriedOut(steps: readonly Step[]) {
  const rules = new AccessRules();
  const roles = new Map<string, HeldRole>();
  const bindings = new Map<string, HeldBinding>();
  for (const each of steps) {
    if (each.do === "role") rules.putRole(roles.set(keyOfRole(each.role), each.role) && each.role);
    else if (each.do === "no-role") {
      roles.delete(keyOfRole(each.role));
      rules.removeRole(each.role);
    } else {
      const key = keyOfBinding(each.binding);
      const held = bindings.get(key);
      if (held !== undefined) rules.removeBinding(held);
      bindings.delete(key);
      if (each.do === "binding") {
        bindings.set(key, each.binding);
        rules.putBinding(each.binding);
      }
    }
  }
  return { rules, roles: [...roles.values()], bindings: [...bindings.values()] };
}

test(
  "property: the index allows what a scan of all roles and bindings allows, and nothing else [AZ10] [AZ14]",
  () => {
    let allowed = 0;
    let asked = 0;
    const questions = fc.array(fc.tuple(subject, request, fc.integer({ min: 0, max: 20 })), {
      minLength: 5,
      maxLength: 20,
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 5, maxLength: 40 }), questions, (steps, all) => {
        const { rules, roles, bindings } = carriedOut(steps);
        for (const [who, what, nowMs] of all) {
          const expected = mayByScan({ roles, bindings }, who, what, nowMs);
          asked += 1;
          if (expected) allowed += 1;
          const { isAllowed } = rules.decide(who, what, nowMs);
          expect({ who, what, nowMs, isAllowed }).toEqual({
            who,
            what,
            nowMs,
            isAllowed: expected,
          });
        }
      }),
      runs(300),
    );
    // Both answers are common, or the property would say little.
    expect(allowed).toBeGreaterThan(asked / 20);
    expect(allowed).toBeLessThan((asked * 19) / 20);
  },
  TIME_LIMIT_MS,
);

const isoOf = (ms: number): string => new Date(ms * 1_000).toISOString().replace(".000Z", "Z");

/** A caller that has them may give what it has not. */
const withoutPowers = (held: HeldRole): HeldRole => ({
  ...held,
  rules: held.rules.filter(
    ({ verbs }) => !verbs.some((verb) => ["bind", "escalate", "*"].includes(verb)),
  ),
});

/** Anything may be asked of the authority: what it takes must not give the sender more. */
test(
  "property: whatever roles and bindings a caller writes, it may do nothing that it might not before [AZ12]",
  () => {
    const PROBES: readonly AccessRequest[] = SPACES.flatMap((namespace) =>
      ["get", "list", "delete"].flatMap((verb) =>
        ["workloads", "roles", "clusterroles"].flatMap((resource) =>
          GROUPS.map((group) => ({ verb: verb as "get", group, resource, namespace, name: "b" })),
        ),
      ),
    );
    let taken = 0;
    fc.assert(
      fc.property(
        fc.array(role, { minLength: 2, maxLength: 6 }),
        fc.array(binding, { minLength: 2, maxLength: 6 }),
        fc.array(step, { minLength: 5, maxLength: 20 }),
        (roles, bindings, steps) => {
          const plane = aPlane();
          plane.must(putting(tenantKey("fraud"), { kind: "Tenant", spec: { displayName: "" } }));
          const put = (each: Step, actor?: Actor) => {
            const sent = sentOf(each);
            return sent && plane.send(sent, actor === undefined ? {} : { actor });
          };
          for (const each of roles) put({ do: "role", role: withoutPowers(each) });
          for (const each of bindings) put({ do: "binding", binding: each });
          const ana: Actor = {
            role: "user",
            name: "ana",
            by: { kind: "user", token: "12345678", groups: ["devs"] },
          };
          const who = { user: "ana", groups: ["devs", "system:authenticated"] };
          const { access } = plane.ledger.objects;
          const may = (nowMs: number) =>
            PROBES.filter((probe) => access.decide(who, probe, nowMs).isAllowed);
          const times = [0, 5_000, 21_000];
          const before = times.map(may);
          for (const each of steps) if (put(each, ana)?.kind === "committed") taken += 1;
          times.forEach((nowMs, at) => {
            const more = may(nowMs).filter((probe) => !before[at]?.includes(probe));
            expect({ nowMs, more }).toEqual({ nowMs, more: [] });
          });
        },
      ),
      runs(200),
    );
    expect(taken).toBeGreaterThan(50);
  },
  TIME_LIMIT_MS,
);

function sentOf(each: Step) {
  if (each.do === "role") {
    const { ref, namespace = "", rules } = each.role;
    const ofTenant = rules.filter(({ nonResourceURLs }) => nonResourceURLs === undefined);
    const spec = { rules: ref.kind === "Role" ? ofTenant : rules };
    return putting(`${ref.kind}/${namespace}/${ref.name}` as ObjectKey, { kind: ref.kind, spec });
  }
  if (each.do !== "binding") return undefined;
  const { name, namespace = "", roleRef: ref, subjects, expiresMs } = each.binding;
  const kind = namespace === "" ? "ClusterRoleBinding" : "RoleBinding";
  const put = putting(`${kind}/${namespace}/${name}` as ObjectKey, {
    kind,
    spec: { roleRef: ref, subjects },
  });
  if (expiresMs === undefined) return put;
  return { ...put, annotations: { [EXPIRES_ANNOTATION]: isoOf(expiresMs) } };
}
