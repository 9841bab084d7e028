import { describe, expect, test } from "vitest";
import { aPlane, putting } from "../../../test/builders/a-plane.ts";
import { codeOf } from "../../../test/builders/code-of.ts";
import { malformed } from "../commit/validate/well-formed.ts";
import { createLiftFinalizer } from "../correct/lift-finalizer.ts";
import {
  type Kind,
  KINDS,
  type ObjectKey,
  operationId,
  parseKey,
  tenantKey,
} from "../model/ids.ts";
import type { Desired } from "../protocol/command.ts";
import {
  ALL_DEFINITIONS,
  definitionOf,
  WRITTEN_DEFINITIONS,
  writtenDefinitionOf,
} from "./kind-definitions.ts";
import { APPLIED_LAST } from "./kind-definition.ts";
import { lifterOf } from "./plane-finalizers.ts";

const kindsOf = (definitions: readonly { readonly kind: Kind }[]): readonly Kind[] =>
  definitions.map(({ kind }) => kind);

describe("the definitions", () => {
  test("hold every kind once, each under its own name", () => {
    expect(kindsOf(ALL_DEFINITIONS).toSorted()).toEqual([...KINDS].toSorted());
    for (const kind of KINDS) expect(definitionOf(kind).kind).toBe(kind);
  });

  test("give no two kinds one name", () => {
    const names = ALL_DEFINITIONS.flatMap(({ kind, plural, shortNames }) => [
      kind.toLowerCase(),
      plural,
      ...shortNames,
    ]);
    expect(new Set(names).size).toBe(names.length);
  });

  test("say of each kind who writes it, and the controller of lost finalizers watches what people write", () => {
    expect(WRITTEN_DEFINITIONS.every(({ writer }) => writer === "people")).toBe(true);
    const written = new Set<Kind>(kindsOf(WRITTEN_DEFINITIONS));
    expect(KINDS.filter((kind) => !written.has(kind))).toEqual([
      "Replica",
      "Reservation",
      "Lease",
      "Join",
      "Plane",
      "Grant",
    ]);
    expect(createLiftFinalizer().interest.kinds).toEqual(written);
  });

  test("apply what others name before what names it", () => {
    const waitedFor = WRITTEN_DEFINITIONS.filter(({ applyStep }) => applyStep < APPLIED_LAST);
    const steps = waitedFor.toSorted((a, b) => a.applyStep - b.applyStep);
    expect(kindsOf(steps)).toEqual([
      "Region",
      "PolicyRevision",
      "Policy",
      "PriorityClass",
      "Tenant",
      "Quota",
      "NodePool",
      "Role",
      "ClusterRole",
      "Node",
      "Secret",
      "RoleBinding",
      "ClusterRoleBinding",
      "Workload",
      "Autoscaler",
    ]);
    // No other kind refers to what is applied last.
    for (const { applyStep } of WRITTEN_DEFINITIONS) {
      expect(applyStep).toBeLessThanOrEqual(APPLIED_LAST);
    }
  });

  test.each<Desired>([
    { kind: "Policy", spec: { scoring: "best-fit", active: "r-1" } as never },
    { kind: "Workload", spec: { template: { priorityClass: "gold" } } as never },
    { kind: "Autoscaler", spec: { workload: "api" } as never },
  ])("a $kind is applied after the kinds that it refers to", ({ kind, spec }) => {
    const definition = writtenDefinitionOf(kind)!;
    const named = definition.references!(spec, "payments").map(({ key }) => parseKey(key).kind);
    expect(named).toHaveLength(1);
    for (const other of named) {
      expect(writtenDefinitionOf(other)!.applyStep).toBeLessThan(definition.applyStep);
    }
  });

  test("lift each finalizer of the plane from its own kind by its owner, and from all others as lost [RP2]", () => {
    const guarded = ALL_DEFINITIONS.flatMap(({ kind, guard }) => (guard ? [{ kind, guard }] : []));
    expect(kindsOf(guarded)).toEqual(["Workload", "Tenant", "Quota", "RecoveryBudget"]);
    for (const { kind, guard } of guarded) {
      for (const other of KINDS) {
        const lifter = other === kind ? guard.lifter : "lift-finalizer";
        expect(lifterOf(guard.finalizer, other)).toBe(lifter);
      }
    }
    expect(lifterOf("example.com/backup", "Workload")).toBeUndefined();
  });
});

describe("what follows from a definition", () => {
  test("a kind that only the plane writes is malformed as a put [OB5]", () => {
    for (const { kind, scope, writer } of ALL_DEFINITIONS) {
      if (writer === "people") continue;
      const key = `${kind}/${scope === "tenant" ? "payments" : ""}/a` as ObjectKey;
      const put = putting(key, { kind, spec: {} } as unknown as Desired);
      const wrong = malformed({ ...put, operation: operationId("put") });
      expect(wrong?.field).toBe(`${key} kind`);
    }
  });

  test("the namespace is the tenant for what a tenant owns and empty for all others [OB5]", () => {
    for (const { kind, scope, onlyName = "a" } of WRITTEN_DEFINITIONS) {
      const key = `${kind}/${scope === "tenant" ? "" : "payments"}/${onlyName}` as ObjectKey;
      const put = putting(key, { kind, spec: {} } as unknown as Desired);
      const wrong = malformed({ ...put, operation: operationId("put") });
      expect(wrong?.field).toBe(`${key} namespace`);
    }
  });

  test("what goes with a tenant is its own, and alone keeps it from going [OB8]", () => {
    const tenant = aPlane().ledger.objects.get(tenantKey("payments"))!;
    for (const { kind, scope, goesWithTenant } of ALL_DEFINITIONS) {
      expect(goesWithTenant === true && scope === "cluster").toBe(false);
      const key = `${kind}/payments/a` as ObjectKey;
      const only = new Map([[key, { key, meta: { namespace: "payments" } }]]);
      const objects = { all: (of: Kind) => (of === kind ? only : new Map()) };
      const blocked = definitionOf("Tenant").stillUsed!(objects as never, tenant);
      expect(blocked?.actual).toBe(goesWithTenant === true ? key : undefined);
    }
  });

  test("kinds that only other commands end are deleted by no role [OB4]", () => {
    const never = ALL_DEFINITIONS.filter(({ deletedBy }) => deletedBy === undefined);
    const ended = ["Reservation", "Lease", "Join", "Plane", "Grant"];
    expect(kindsOf(never)).toEqual(ended);
    const plane = aPlane();
    const lease = [...plane.ledger.objects.all("Lease").keys()][0]!;
    const outcome = plane.send({ kind: "delete", key: lease, expect: {} });
    expect(codeOf(outcome)).toBe("not-owner");
  });
});
