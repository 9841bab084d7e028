import { describe, expect, test } from "vitest";
import { aPlane, type Plane, putting } from "../../../../test/builders/a-plane.ts";
import { codeOf } from "../../../../test/builders/code-of.ts";
import type { Role } from "../../model/actor.ts";
import { type ObjectKey, quotaKey, tenantKey, type Uid, workloadKey } from "../../model/ids.ts";
import type { Owner, StatedOwner } from "../../model/owner.ts";
import { overrideKey } from "../../model/override.ts";
import { priorityClassKey } from "../../model/preemption.ts";
import type { Outcome } from "../../protocol/outcome.ts";

const OWNER = priorityClassKey("owner");
const OTHER = priorityClassKey("other");
const OWNED = priorityClassKey("owned");

const put = (plane: Plane, key: ObjectKey, owners?: readonly StatedOwner[]): Outcome =>
  plane.send(
    putting(
      key,
      { kind: "PriorityClass", spec: { value: 1, preempts: "lower" } },
      owners === undefined ? {} : { owners },
    ),
  );

const uidOf = (plane: Plane, key: ObjectKey): Uid => plane.get(key)!.meta.uid;

const ownersOf = (plane: Plane, key = OWNED): readonly Owner[] | undefined =>
  plane.get(key)?.meta.owners;

const remove = (plane: Plane, key: ObjectKey): Outcome =>
  plane.send({ kind: "delete", key, expect: {} });

const collect = (
  plane: Plane,
  of: { readonly owners?: readonly Uid[]; readonly role?: Role; readonly key?: ObjectKey } = {},
): Outcome => {
  const { key = OWNED, role = "collect-owned" } = of;
  const owners = of.owners ?? ownersOf(plane, key)?.map(({ uid }) => uid) ?? [];
  return plane.send(
    { kind: "delete", key, expect: {}, evidence: { kind: "owners-gone", owners } },
    { role },
  );
};

/** A plane with an owner, and with an object that belongs to it. */
function anOwnedObject(): Plane {
  const plane = aPlane();
  put(plane, OWNER);
  put(plane, OTHER);
  expect(codeOf(put(plane, OWNED, [{ key: OWNER }]))).toBe("committed");
  return plane;
}

describe("owners that a put states", () => {
  test("an owner without a uid is the object that has the key, and a later put keeps it [OB10]", () => {
    const plane = anOwnedObject();
    const owners = [{ key: OWNER, uid: uidOf(plane, OWNER) }];
    expect(ownersOf(plane)).toEqual(owners);
    put(plane, OWNED);
    expect(ownersOf(plane)).toEqual(owners);
    put(plane, OWNED, []);
    expect(ownersOf(plane)).toEqual([]);
  });

  test("an owner that does not exist, or not with this uid, is not added [OB10]", () => {
    const plane = anOwnedObject();
    const none = { key: priorityClassKey("none") };
    expect(put(plane, OWNED, [none])).toMatchObject({ code: "no-such-object" });
    const earlier = { key: OTHER, uid: "u0" as Uid };
    expect(codeOf(put(plane, OWNED, [earlier]))).toBe("bad-object");
  });

  test("an owner that the object has may be gone, so that a late write is not lost [OB10]", () => {
    const plane = anOwnedObject();
    const owners = ownersOf(plane)!;
    remove(plane, OWNER);
    expect(codeOf(put(plane, OWNED, owners))).toBe("committed");
    put(plane, OWNER);
    expect(codeOf(put(plane, OWNED, [{ key: OWNER }]))).toBe("committed");
    expect(ownersOf(plane)).toEqual(owners);
  });

  test.each([
    ["itself", OWNED, [{ key: OWNED }]],
    ["one twice", OWNED, [{ key: OWNER }, { key: OWNER }]],
    ["an object of a tenant, for one of none", OWNED, [{ key: workloadKey("payments", "api") }]],
    ["a kind that Berth does not have", OWNED, [{ key: "Pod//a" as ObjectKey }]],
    [
      "two controllers",
      OWNED,
      [
        { key: OWNER, isController: true },
        { key: OTHER, isController: true },
      ],
    ],
  ] as const)("a put that states as owner %s is invalid [OB10]", (_, key, owners) => {
    expect(codeOf(put(anOwnedObject(), key, owners))).toBe("bad-object");
  });

  test("an object of a tenant does not belong to one of another tenant [OB10]", () => {
    const plane = anOwnedObject();
    plane.tenant({}, "fraud");
    const quota = plane.get(quotaKey("fraud"))!;
    const toTenant = (owner: ObjectKey): string =>
      codeOf(
        plane.send(
          putting(quota.key, { kind: "Quota", spec: quota.spec } as never, {
            owners: [{ key: owner }],
          }),
        ),
      );
    expect(toTenant(quotaKey("payments"))).toBe("bad-object");
    expect(toTenant(tenantKey("payments"))).toBe("committed");
  });

  test("more than 16 owners are too many [OB10]", () => {
    const owners = Array.from({ length: 17 }, (_, at) => ({ key: priorityClassKey(`p${at}`) }));
    expect(codeOf(put(anOwnedObject(), OWNED, owners))).toBe("object-too-large");
  });

  test("an override ends by itself and has no owner [OB10]", () => {
    const plane = anOwnedObject();
    const spec = {
      action: "pin",
      target: { tenant: "payments", workload: "api" },
      reason: "audit",
      ttlMs: 60_000,
    } as const;
    const desired = { kind: "Override", spec } as const;
    const owners = [{ key: OWNER }];
    expect(codeOf(plane.send(putting(overrideKey("o"), desired, { owners })))).toBe("bad-object");
  });
});

describe("the deletion of what has lost its owners", () => {
  test("an object goes when its only owner is gone [OB11, OB12]", () => {
    const plane = anOwnedObject();
    remove(plane, OWNER);
    expect(codeOf(collect(plane))).toBe("committed");
    expect(plane.get(OWNED)).toBeUndefined();
  });

  test("an object stays as long as one of its owners exists [OB12]", () => {
    const plane = anOwnedObject();
    expect(codeOf(collect(plane))).toBe("evidence-wrong");
    put(plane, OWNED, [{ key: OWNER }, { key: OTHER }]);
    remove(plane, OWNER);
    expect(codeOf(collect(plane))).toBe("evidence-wrong");
    remove(plane, OTHER);
    expect(codeOf(collect(plane))).toBe("committed");
  });

  test("a later object of the owner's name does not keep it [OB11]", () => {
    const plane = anOwnedObject();
    remove(plane, OWNER);
    put(plane, OWNER);
    expect(codeOf(collect(plane))).toBe("committed");
  });

  test("an object that has got other owners meanwhile stays [OB12]", () => {
    const plane = anOwnedObject();
    const owners = ownersOf(plane)!.map(({ uid }) => uid);
    remove(plane, OWNER);
    put(plane, OWNED, [{ key: OTHER }]);
    expect(codeOf(collect(plane, { owners }))).toBe("evidence-wrong");
    remove(plane, OTHER);
    expect(codeOf(collect(plane, { owners }))).toBe("evidence-wrong");
    expect(codeOf(collect(plane))).toBe("committed");
  });

  test("the controller deletes nothing without owners, and nothing without evidence [OB12]", () => {
    const plane = anOwnedObject();
    expect(codeOf(collect(plane, { key: OTHER }))).toBe("not-owner");
    remove(plane, OWNER);
    const bare = { kind: "delete", key: OWNED, expect: {} } as const;
    expect(codeOf(plane.send(bare, { role: "collect-owned" }))).toBe("evidence-missing");
    expect(codeOf(collect(plane, { role: "empty-tenant" }))).toBe("not-owner");
  });

  test("finalizers hold it up as any deletion [OB11]", () => {
    const plane = anOwnedObject();
    const spec = { value: 1, preempts: "lower" } as const;
    const finalizers = ["example.com/backup"];
    plane.must(putting(OWNED, { kind: "PriorityClass", spec }, { finalizers }));
    remove(plane, OWNER);
    plane.nowMs = 900;
    expect(codeOf(collect(plane))).toBe("committed");
    expect(plane.get(OWNED)?.meta).toMatchObject({ deletingMs: 900, finalizers });
  });
});
