import { describe, expect, test } from "vitest";
import { aPlane, type Plane, putting, WORKLOAD } from "../../../../test/builders/a-plane.ts";
import { aQuota } from "../../../../test/builders/a-quota.ts";
import { aWorkloadSpec } from "../../../../test/builders/a-workload.ts";
import { codeOf } from "../../../../test/builders/code-of.ts";
import { LOAD_LIMITS } from "../../model/limits/load-limits.ts";
import { leaderLeaseKey, quotaKey, tenantKey, workloadKey } from "../../model/ids.ts";
import type { TenantCounts } from "../../model/limits/tenant-counts.ts";

const puttingDesired = (name: string, replicas: number) =>
  putting(workloadKey("payments", name), {
    kind: "Workload",
    spec: aWorkloadSpec({ replicas }),
  });

function counting(plane: Plane, counts: TenantCounts): void {
  const { spec } = aQuota();
  plane.must(putting(quotaKey("payments"), { kind: "Quota", spec: { ...spec, counts } }));
}

describe("replicas of a tenant", () => {
  test("are counted over all its workloads, and the put that exceeds the count is refused with both numbers [LB2]", () => {
    const plane = aPlane();
    counting(plane, { replicas: 10 });
    plane.must(puttingDesired("second", 9));
    expect(plane.send(puttingDesired("third", 1))).toMatchObject({
      kind: "conflict",
      code: "tenant-full",
      field: "Tenant//payments replicas",
      expected: "at most 10",
      actual: 11,
    });
    expect(codeOf(plane.send(puttingDesired("second", 10)))).toBe("tenant-full");
    expect(codeOf(plane.send(puttingDesired("second", 8)))).toBe("committed");
    expect(codeOf(plane.send(puttingDesired("third", 1)))).toBe("committed");
  });

  test("a tenant that is over a smaller count keeps what it has, and may change and shrink it [LB2]", () => {
    const plane = aPlane();
    plane.must(puttingDesired("second", 9));
    counting(plane, { replicas: 3 });
    expect(codeOf(plane.send(puttingDesired("second", 9)))).toBe("committed");
    expect(codeOf(plane.send(puttingDesired("second", 5)))).toBe("committed");
    expect(codeOf(plane.send(puttingDesired("second", 6)))).toBe("tenant-full");
  });

  test("a quota that states no count bounds them by the default [LB2]", () => {
    const plane = aPlane();
    const most = LOAD_LIMITS.tenantReplicas.value;
    expect(codeOf(plane.send(puttingDesired("second", most)))).toBe("tenant-full");
    expect(codeOf(plane.send(puttingDesired("second", most - 1)))).toBe("committed");
  });

  test("another tenant's are not counted, and those of a workload that is gone no more [LB2]", () => {
    const plane = aPlane();
    counting(plane, { replicas: 5 });
    plane.must(puttingDesired("second", 4));
    plane.must({ kind: "delete", key: workloadKey("payments", "second"), expect: {} });
    // It goes with its last replica, and counts until then.
    expect(codeOf(plane.send(puttingDesired("third", 4)))).toBe("tenant-full");
    plane.must(puttingDesired("second", 4), { role: "admit" });
    expect(plane.ledger.objects.tenantLoad.of("payments")).toEqual({ workloads: 1, replicas: 1 });
    expect(codeOf(plane.send(puttingDesired("third", 4)))).toBe("committed");
    expect(plane.ledger.objects.tenantLoad.of("fraud")).toEqual({ workloads: 0, replicas: 0 });
  });

  test("one workload asks for no more than a plane was ever measured with [LB3]", () => {
    const plane = aPlane();
    counting(plane, { replicas: LOAD_LIMITS.countsMost.value });
    const most = LOAD_LIMITS.workloadReplicas.value;
    expect(codeOf(plane.send(puttingDesired("second", most + 1)))).toBe("bad-object");
    expect(codeOf(plane.send(puttingDesired("second", most)))).toBe("committed");
  });
});

describe("workloads of a tenant", () => {
  test("are bounded by count, whatever they ask for [LB3]", () => {
    const plane = aPlane();
    counting(plane, { workloads: 2 });
    plane.must(puttingDesired("second", 0));
    expect(plane.send(puttingDesired("third", 0))).toMatchObject({
      code: "tenant-full",
      field: "Tenant//payments workloads",
      expected: "at most 2",
      actual: 3,
    });
    const same = putting(WORKLOAD, { kind: "Workload", spec: aWorkloadSpec({ replicas: 2 }) });
    expect(codeOf(plane.send(same))).toBe("committed");
  });

  test.each([-1, 1.5, LOAD_LIMITS.countsMost.value + 1])(
    "a count of %d is no count [LB2]",
    (replicas) => {
      const plane = aPlane();
      const { spec } = aQuota();
      const desired = { kind: "Quota", spec: { ...spec, counts: { replicas } } } as const;
      expect(codeOf(plane.send(putting(quotaKey("payments"), desired)))).toBe("bad-object");
    },
  );
});

const puttingLease = (name: string, tenant = "payments") =>
  putting(leaderLeaseKey(tenant, name), { kind: "LeaderLease", spec: {} });

describe("leases of a tenant", () => {
  test("are bounded, and one that is there is renewed at the bound [AP324]", () => {
    const plane = aPlane();
    const most = LOAD_LIMITS.tenantLeaderLeases.value;
    for (let at = 0; at < most; at += 1) plane.must(puttingLease(`lease-${at}`));
    expect(plane.send(puttingLease("more"))).toMatchObject({
      code: "tenant-full",
      field: "Tenant//payments leaderleases",
      expected: `at most ${most}`,
      actual: most + 1,
    });
    const renewed = putting(leaderLeaseKey("payments", "lease-0"), {
      kind: "LeaderLease",
      spec: { holderIdentity: "one" },
    });
    expect(codeOf(plane.send(renewed))).toBe("committed");
  });

  test("need a tenant, and go with it in one commit [AP324]", () => {
    const plane = aPlane();
    expect(codeOf(plane.send(puttingLease("leader", "nobody")))).toBe("no-such-object");
    plane.must(putting(tenantKey("web"), { kind: "Tenant", spec: { displayName: "" } }));
    plane.must(puttingLease("leader", "web"));
    plane.must(puttingLease("kept"));
    plane.must({ kind: "delete", key: tenantKey("web"), expect: {} });
    expect(plane.get(leaderLeaseKey("web", "leader"))).toBeUndefined();
    expect(plane.get(leaderLeaseKey("payments", "kept"))).toBeDefined();
  });
});
