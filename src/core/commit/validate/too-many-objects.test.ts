import { describe, expect, test } from "vitest";
import { aPlane, type Plane, putting } from "../../../../test/builders/a-plane.ts";
import { aQuota } from "../../../../test/builders/a-quota.ts";
import { codeOf } from "../../../../test/builders/code-of.ts";
import { LOAD_LIMITS } from "../../model/limits/load-limits.ts";
import { leaderLeaseKey, quotaKey, tenantKey } from "../../model/ids.ts";

const puttingQuota = (objects: Readonly<Record<string, number>>) =>
  putting(quotaKey("payments"), {
    kind: "Quota",
    spec: { ...aQuota().spec, counts: { objects } },
  });

const puttingLease = (name: string, tenant = "payments", holderIdentity = "one") =>
  putting(leaderLeaseKey(tenant, name), { kind: "LeaderLease", spec: { holderIdentity } });

const remove = (plane: Plane, name: string): void =>
  plane.must({ kind: "delete", key: leaderLeaseKey("payments", name), expect: {} });

describe("objects of a tenant", () => {
  test("are bounded by the count of their kind, and the put that exceeds it is refused with both numbers [LB9]", () => {
    const plane = aPlane();
    plane.must(puttingQuota({ leaderleases: 2 }));
    plane.must(puttingLease("a"));
    plane.must(puttingLease("b"));
    expect(plane.send(puttingLease("c"))).toMatchObject({
      kind: "conflict",
      code: "tenant-full",
      field: "Tenant//payments leaderleases",
      expected: "at most 2",
      actual: 3,
    });
    remove(plane, "a");
    expect(codeOf(plane.send(puttingLease("c")))).toBe("committed");
  });

  test("beyond a count that was made smaller stay, and may be changed [LB9]", () => {
    const plane = aPlane();
    for (const name of ["a", "b"]) plane.must(puttingLease(name));
    plane.must(puttingQuota({ leaderleases: 1 }));
    expect(codeOf(plane.send(puttingLease("a", "payments", "two")))).toBe("committed");
    remove(plane, "a");
    expect(codeOf(plane.send(puttingLease("c")))).toBe("tenant-full");
  });

  test("of another tenant, or of another kind, are not counted [LB9]", () => {
    const plane = aPlane();
    plane.must(puttingQuota({ leaderleases: 1, autoscalers: 0 }));
    plane.must(putting(tenantKey("web"), { kind: "Tenant", spec: { displayName: "" } }));
    for (const name of ["a", "b"]) plane.must(puttingLease(name, "web"));
    expect(codeOf(plane.send(puttingLease("a")))).toBe("committed");
  });

  test("that go with their tenant in one commit stay few, whatever its quota states [LB9]", () => {
    const plane = aPlane();
    plane.must(puttingQuota({ leaderleases: 1_000_000 }));
    const most = LOAD_LIMITS.tenantLeaderLeases.value;
    for (let at = 0; at < most; at += 1) plane.must(puttingLease(`lease-${at}`));
    expect(codeOf(plane.send(puttingLease("more")))).toBe("tenant-full");
  });

  test.each(["nodes", "workloads", "replicas", "quotas", "LeaderLease"])(
    "a count of %s is rejected: it would hold nothing [LB9]",
    (plural) => {
      expect(aPlane().send(puttingQuota({ [plural]: 5 }))).toMatchObject({
        code: "bad-object",
        field: "Quota/payments/default spec.counts.objects",
        actual: plural,
      });
    },
  );
});
