import { describe, expect, test } from "vitest";
import { aPlane, putting } from "../../../test/builders/a-plane.ts";
import { codeOf } from "../../../test/builders/code-of.ts";
import { type CommitmentSpec, FLEET_NAMESPACE, promiseKindsOf } from "../model/commitment.ts";
import { keyOf, type ObjectKey, tenantKey } from "../model/ids.ts";
import { LOAD_LIMITS } from "../model/limits/load-limits.ts";

const RECOVER = { recover: { workload: "api", replicas: 2, withinMs: 300_000 } } as const;

const commitmentKey = (namespace: string, name = "promise"): ObjectKey =>
  keyOf({ kind: "Commitment", namespace, name });

const puttingPromise = (key: ObjectKey, spec: CommitmentSpec = RECOVER) =>
  putting(key, { kind: "Commitment", spec });

describe("a commitment", () => {
  const WRONG: readonly (readonly [field: string, spec: CommitmentSpec])[] = [
    ["spec.recover", {}],
    ["spec.drains", { ...RECOVER, drains: { withinMs: 1 } }],
    ["spec.recover.withinMs", { recover: { workload: "api", withinMs: 86_400_001 } }],
    ["spec.recover.workload", { recover: { workload: "Api", withinMs: 1 } }],
    ["spec.wait.share", { wait: { withinMs: 1, share: 1_000_000 } }],
    ["spec.headroom.replicas", { headroom: { replicas: 2 } }],
    ["spec.invariant", { invariant: { labels: { app: "a" }, per: "zone" } }],
    ["spec.invariant.atMost", { invariant: { labels: {}, per: "zone", atLeast: 2, atMost: 1 } }],
    ["spec.when", { ...RECOVER, when: {} }],
    ["spec.when.drain", { ...RECOVER, when: { lose: "zone", drain: "node" } }],
    ["spec.when.which", { ...RECOVER, when: { which: "eu-a", also: ["slow-starts"] } }],
    ["spec.when.anyOf", { ...RECOVER, when: { lose: "zone", which: "eu-a", anyOf: 2 } }],
    ["spec.when.also", { ...RECOVER, when: { also: ["rain" as never] } }],
    ["spec.holds.atLeast", { ...RECOVER, holds: { atLeast: 1_000_000 } }],
    ["spec.capacity", { ...RECOVER, capacity: "vague" as never }],
  ];
  test.each(WRONG)("with a wrong %s is refused: %j [CM1]", (field, spec) => {
    expect(aPlane().send(puttingPromise(commitmentKey("payments"), spec))).toMatchObject({
      code: "bad-object",
      field: `Commitment/payments/promise ${field}`,
    });
  });

  const RIGHT: readonly CommitmentSpec[] = [
    { ...RECOVER, when: { lose: "zone", anyOf: 2, also: ["leader-change"] } },
    { keepServing: { workload: "api", atLeast: 1 } },
    { isolation: {} },
    { headroom: {} },
    { invariant: { labels: { app: "api" }, per: "rack", atMost: 0 }, holds: { of: "failures" } },
  ];
  test.each(RIGHT)("makes one promise: %j [CM1]", (spec) => {
    expect(codeOf(aPlane().send(puttingPromise(commitmentKey("payments"), spec)))).toBe(
      "committed",
    );
    expect(promiseKindsOf(spec)).toHaveLength(1);
  });

  test("of a tenant names only its workloads; one of the fleet names all [CM2]", () => {
    const plane = aPlane();
    const others: readonly CommitmentSpec[] = [
      { recover: { workload: "search/api", withinMs: 1 } },
      { headroom: { workload: "search/api" } },
      { isolation: { tenant: "search" } },
    ];
    for (const spec of others) {
      expect(codeOf(plane.send(puttingPromise(commitmentKey("payments"), spec)))).toBe(
        "bad-object",
      );
      plane.must(puttingPromise(commitmentKey(FLEET_NAMESPACE), spec));
    }
    plane.must(
      puttingPromise(commitmentKey("payments"), {
        recover: { workload: "payments/api", withinMs: 1 },
      }),
    );
  });

  test("needs its tenant and goes with it; one of the fleet needs none [CM3]", () => {
    const plane = aPlane();
    expect(codeOf(plane.send(puttingPromise(commitmentKey("web"))))).toBe("no-such-object");
    plane.must(putting(tenantKey("web"), { kind: "Tenant", spec: { displayName: "" } }));
    plane.must(puttingPromise(commitmentKey("web")));
    plane.must(puttingPromise(commitmentKey(FLEET_NAMESPACE)));
    plane.must({ kind: "delete", key: tenantKey("web"), expect: {} });
    expect(plane.get(commitmentKey("web"))).toBeUndefined();
    expect(plane.get(commitmentKey(FLEET_NAMESPACE))).toBeDefined();
  });

  test("is one of a bounded number, and one that is there can change at the bound [CM3]", () => {
    const plane = aPlane();
    const most = LOAD_LIMITS.tenantCommitments.value;
    for (let at = 0; at < most; at += 1) {
      plane.must(puttingPromise(commitmentKey("payments", `promise-${at}`)));
    }
    expect(plane.send(puttingPromise(commitmentKey("payments", "more")))).toMatchObject({
      code: "tenant-full",
      field: "Tenant//payments commitments",
      actual: most + 1,
    });
    plane.must(puttingPromise(commitmentKey("payments", "promise-0"), { isolation: {} }));
  });
});
