import { describe, expect, test } from "vitest";
import {
  aPlane,
  type Plane,
  putting,
  reservationKey,
  indexKey,
  WORKLOAD,
} from "../../../../test/builders/a-plane.ts";
import { aReplica } from "../../../../test/builders/a-replica.ts";
import { codeOf } from "../../../../test/builders/code-of.ts";
import type { Role } from "../../model/actor.ts";
import { leaseKey, nodeKey, type ObjectKey, quotaKey, tenantKey } from "../../model/ids.ts";
import type { Quota } from "../../model/objects.ts";
import type { Precondition } from "../../protocol/command.ts";
import type { Outcome } from "../../protocol/outcome.ts";
import { CONTENTS_FINALIZER, RESERVED_FINALIZER } from "../../model/finalizers.ts";

const remove = (
  plane: Plane,
  key: ObjectKey,
  of: { expect?: Precondition; role?: Role } = {},
): Outcome =>
  plane.send(
    { kind: "delete", key, expect: of.expect ?? {} },
    of.role === undefined ? {} : { role: of.role },
  );

describe("existence and expectations", () => {
  test("deleting what does not exist is a conflict [OB1]", () => {
    expect(remove(aPlane(), nodeKey("z-9"))).toMatchObject({
      kind: "conflict",
      code: "no-such-object",
    });
  });

  test("a deletion that expects another revision or generation is a conflict [OB2]", () => {
    const plane = aPlane();
    plane.putDesired({ replicas: 2 });
    const { revision } = plane.workload().meta;
    expect(codeOf(remove(plane, WORKLOAD, { expect: { revision: revision - 1 } }))).toBe(
      "revision-changed",
    );
    expect(codeOf(remove(plane, WORKLOAD, { expect: { generation: 1 } }))).toBe(
      "generation-changed",
    );
    expect(plane.workload().meta.deletingMs).toBeUndefined();
    expect(codeOf(remove(plane, WORKLOAD, { expect: { revision, generation: 2 } }))).toBe(
      "committed",
    );
  });
});

describe("finalizers", () => {
  test("an object with finalizers is marked, and stays [OB3]", () => {
    const plane = aPlane();
    plane.nowMs = 700;
    expect(codeOf(remove(plane, WORKLOAD))).toBe("committed");
    expect(plane.workload().meta.deletingMs).toBe(700);
  });

  test("a second deletion is a conflict [OB3]", () => {
    const plane = aPlane();
    remove(plane, WORKLOAD);
    expect(remove(plane, WORKLOAD)).toMatchObject({ kind: "conflict", code: "being-deleted" });
  });

  test("an object without finalizers goes at once [OB3]", () => {
    const plane = aPlane();
    expect(codeOf(remove(plane, nodeKey("a-1")))).toBe("committed");
    expect(plane.node()).toBeUndefined();
  });
});

describe("what is still used", () => {
  test("a node that a replica holds is not deleted, and the refusal names the replica [OB4]", () => {
    const plane = aPlane();
    const { key } = plane.bound();
    expect(remove(plane, nodeKey("a-1"))).toMatchObject({
      kind: "conflict",
      code: "still-in-use",
      actual: key,
    });
    expect(plane.node()).toBeDefined();
  });

  test("a node goes together with its lease, which would be taken for a namesake's [OB4]", () => {
    const plane = aPlane();
    remove(plane, nodeKey("a-1"));
    expect(plane.get(leaseKey("a-1"))).toBeUndefined();
  });

  test("a quota with something reserved is marked, and does not go before its use ends [QT4]", () => {
    const plane = aPlane();
    plane.reserved();
    const key = quotaKey("payments");
    expect(codeOf(remove(plane, key))).toBe("committed");
    const { meta, spec } = plane.get(key) as Quota;
    expect(meta.finalizers).toEqual([RESERVED_FINALIZER]);
    const letGo = (role: Role): Outcome =>
      plane.send(putting(key, { kind: "Quota", spec }, { finalizers: [] }), { role });
    letGo("user");
    expect(plane.get(key)?.meta.finalizers).toEqual([RESERVED_FINALIZER]);
    expect(codeOf(letGo("empty-tenant"))).toBe("quota-below-use");
  });

  test("a quota that nothing uses goes at once [QT4]", () => {
    const plane = aPlane();
    expect(codeOf(remove(plane, quotaKey("payments")))).toBe("committed");
    expect(plane.get(quotaKey("payments"))).toBeUndefined();
  });

  test("a replica that is not at rest is not deleted [OB4]", () => {
    const plane = aPlane();
    plane.serving();
    plane.putDesired({ replicas: 0 });
    expect(remove(plane, indexKey())).toMatchObject({
      kind: "conflict",
      code: "still-in-use",
      actual: "serving",
    });
  });

  test("a replica at rest is not deleted while its workload still wants it [OB4]", () => {
    const plane = aPlane();
    const { key, status } = plane.serving();
    const { incarnation, session } = status;
    plane.must({
      kind: "report",
      replica: key,
      incarnation,
      node: "a-1",
      session,
      stage: "released",
    });
    expect(remove(plane, key)).toMatchObject({ code: "still-in-use", actual: "wanted" });
    plane.putDesired({ replicas: 0 });
    expect(codeOf(remove(plane, key))).toBe("committed");
    expect(plane.get(key)).toBeUndefined();
  });
});

const lift = (plane: Plane, role: Role): Outcome => {
  const { meta } = plane.get(tenantKey("payments"))!;
  const finalizers = meta.finalizers.filter((name) => name !== CONTENTS_FINALIZER);
  const desired = { kind: "Tenant", spec: { displayName: "payments" } } as const;
  return plane.send(putting(tenantKey("payments"), desired, { finalizers }), { role });
};

describe("a tenant", () => {
  test("with nothing in it goes at once [OB4]", () => {
    const plane = aPlane();
    plane.tenant({}, "search");
    plane.must({ kind: "delete", key: quotaKey("search"), expect: {} });
    expect(codeOf(remove(plane, tenantKey("search")))).toBe("committed");
    expect(plane.get(tenantKey("search"))).toBeUndefined();
  });

  test("that owns something is marked and kept by the plane's finalizer [OB8]", () => {
    const plane = aPlane();
    plane.nowMs = 700;
    expect(codeOf(remove(plane, tenantKey("payments")))).toBe("committed");
    expect(plane.get(tenantKey("payments"))?.meta).toMatchObject({
      deletingMs: 700,
      finalizers: [CONTENTS_FINALIZER],
    });
    expect(codeOf(remove(plane, tenantKey("payments")))).toBe("being-deleted");
  });

  test("that is being deleted takes nothing new, and keeps its finalizer against any put [OB3]", () => {
    const plane = aPlane();
    remove(plane, tenantKey("payments"));
    const spec = plane.workload().spec;
    const other = "Workload/payments/other" as ObjectKey;
    expect(codeOf(plane.send(putting(other, { kind: "Workload", spec })))).toBe("being-deleted");
    lift(plane, "user");
    expect(plane.get(tenantKey("payments"))?.meta.finalizers).toEqual([CONTENTS_FINALIZER]);
  });

  test("does not go before its last workload and its quota [OB4]", () => {
    const plane = aPlane();
    remove(plane, tenantKey("payments"));
    expect(lift(plane, "empty-tenant")).toMatchObject({ code: "still-in-use" });
    plane.must({ kind: "delete", key: WORKLOAD, expect: {} });
    const { spec } = plane.workload();
    plane.must(putting(WORKLOAD, { kind: "Workload", spec }), { role: "admit" });
    expect(lift(plane, "empty-tenant")).toMatchObject({
      code: "still-in-use",
      actual: quotaKey("payments"),
    });
    plane.must({ kind: "delete", key: quotaKey("payments"), expect: {} });
    expect(codeOf(lift(plane, "empty-tenant"))).toBe("committed");
    expect(plane.get(tenantKey("payments"))).toBeUndefined();
  });

  test("takes only its own with it, and only once it was deleted [OB8]", () => {
    const plane = aPlane();
    plane.tenant({}, "search");
    const role = "empty-tenant";
    for (const key of [WORKLOAD, quotaKey("payments"), tenantKey("payments"), nodeKey("a-1")]) {
      expect(codeOf(remove(plane, key, { role }))).toBe("not-owner");
    }
    expect(codeOf(lift(plane, role))).toBe("not-owner");
    remove(plane, tenantKey("payments"));
    expect(codeOf(remove(plane, quotaKey("search"), { role }))).toBe("not-owner");
    expect(codeOf(remove(plane, WORKLOAD, { role }))).toBe("committed");
    expect(codeOf(remove(plane, quotaKey("payments"), { role }))).toBe("committed");
  });
});

describe("ownership", () => {
  test("a reservation or a lease cannot be deleted, they end by release and with their node [ST1]", () => {
    const plane = aPlane();
    plane.reserved();
    for (const key of [reservationKey(indexKey()), leaseKey("a-1")]) {
      for (const role of ["user", "admit", "reclaim-leak"] as const) {
        expect(codeOf(remove(plane, key, { role }))).toBe("not-owner");
      }
    }
  });

  test("the admitting controller and people delete replicas, and only people the rest [ST1] [ST90]", () => {
    const plane = aPlane();
    plane.admitted();
    expect(remove(plane, aReplica().key, { role: "place" })).toMatchObject({
      kind: "refused",
      code: "not-owner",
    });
    expect(codeOf(remove(plane, aReplica().key, { role: "user" }))).toBe("wrong-stage");
    expect(codeOf(remove(plane, WORKLOAD, { role: "admit" }))).toBe("not-owner");
    expect(codeOf(remove(plane, nodeKey("a-1"), { role: "drain-node" }))).toBe("not-owner");
  });

  test("a deleted name that is put again is another object with an incarnation of its own [OB1]", () => {
    const plane = aPlane();
    plane.tenant({}, "search");
    const first = plane.get(tenantKey("search"))?.meta.uid;
    plane.must({ kind: "delete", key: quotaKey("search"), expect: {} });
    plane.must({ kind: "delete", key: tenantKey("search"), expect: {} });
    plane.must(putting(tenantKey("search"), { kind: "Tenant", spec: { displayName: "again" } }));
    const again = plane.get(tenantKey("search"))?.meta;
    expect(again?.generation).toBe(1);
    expect(again?.uid).not.toBe(first);
  });
});
