import { describe, expect, test } from "vitest";
import { putting } from "../../../test/builders/a-plane.ts";
import type { RecoveryRules } from "../model/recovery-budget.ts";
import { operationId, policyKey, policyRevisionKey } from "../model/ids.ts";
import type { PolicyRules, PolicySpec } from "../model/policy.ts";
import { malformed } from "../commit/validate/well-formed.ts";

const wrong = (rules: Partial<PolicyRules>): string | undefined => {
  const spec: PolicyRules = { scoring: "best-fit", ...rules };
  const put = putting(policyRevisionKey("r-1"), { kind: "PolicyRevision", spec });
  return malformed({ ...put, operation: operationId("put") })?.field.split(" ")[1];
};

describe("the rules of a policy revision", () => {
  test("leave self-fencing its time: no node is unknown before its lease is over [PY2] [EV3]", () => {
    const after = (suspectAfterMs: number, unknownAfterMs: number) =>
      wrong({ health: { suspectAfterMs, unknownAfterMs } });
    expect(after(6_000, 15_000)).toBeUndefined();
    expect(after(18_500, 18_500)).toBeUndefined();
    expect(after(5_999, 15_000)).toBe("spec.health.suspectAfterMs");
    expect(after(8_000, 14_999)).toBe("spec.health.unknownAfterMs");
    expect(after(8_000, 18_501)).toBe("spec.health.unknownAfterMs");
    expect(after(16_000, 15_000)).toBe("spec.health.suspectAfterMs");
    // Beside what is built in for the other one.
    expect(wrong({ health: { suspectAfterMs: 16_000 } })).toBe("spec.health.suspectAfterMs");
  });

  test("retry no more often and no sooner than is built in [PY2] [RN3]", () => {
    expect(wrong({ retries: { attempts: 6, backoffFirstMs: 100 } })).toBeUndefined();
    expect(wrong({ retries: { attempts: 7 } })).toBe("spec.retries.attempts");
    expect(wrong({ retries: { attempts: 0 } })).toBe("spec.retries.attempts");
    expect(wrong({ retries: { backoffFirstMs: 99 } })).toBe("spec.retries.backoffFirstMs");
    expect(wrong({ retries: { backoffFirstMs: 5_000, backoffMostMs: 1_000 } })).toBe(
      "spec.retries.backoffFirstMs",
    );
  });

  test("name bands, spreads and bounds that mean something [PY2]", () => {
    expect(wrong({ preemption: { apart: [["base"]] } })).toBe("spec.preemption.apart");
    expect(wrong({ preemption: { never: [""] } })).toBe("spec.preemption.never");
    expect(wrong({ preemption: { apart: [["a", "a"]] } })).toBe("spec.preemption.apart");
    expect(wrong({ spread: [{ by: "zone", maxSkew: 0 }] })).toBe("spec.spread[0].maxSkew");
    expect(wrong({ spread: [{ by: "", maxSkew: 1 }] })).toBe("spec.spread[0].by");
    expect(wrong({ autoscaling: { minReplicas: 3, maxReplicas: 2 } })).toBe(
      "spec.autoscaling.minReplicas",
    );
    expect(wrong({ autoscaling: { stepMost: 0 } })).toBe("spec.autoscaling.stepMost");
    expect(wrong({ onRollback: { bindings: "burn" as never } })).toBe("spec.onRollback.bindings");
    expect(wrong({ scoring: "worst" as never })).toBe("spec.scoring");
  });
});

test("what a revision says of partitioned regions names each class once, and a time within bounds [PY2] [DG6]", () => {
  const within = (confirmWithinMs: number) => wrong({ degraded: { lowRisk: [], confirmWithinMs } });
  expect(wrong({ degraded: { lowRisk: ["", "low"] } })).toBeUndefined();
  expect(wrong({ degraded: { lowRisk: ["low", "low"] } })).toBe("spec.degraded.lowRisk");
  expect([999, 1_000, 86_400_000, 86_400_001].map(within)).toEqual([
    "spec.degraded.confirmWithinMs",
    undefined,
    undefined,
    "spec.degraded.confirmWithinMs",
  ]);
});

describe("what a revision says of recoveries", () => {
  const reserve = { cpuMillis: 4_000, memoryMiB: 4_096, deviceMillis: 0 };
  const grant = { region: "us", amounts: { ...reserve, cpuMillis: 1_000 }, ttlMs: 60_000 };
  const of = (recovery: Partial<RecoveryRules>): string | undefined =>
    wrong({ recovery: { reserve, ...recovery } });

  test("is a reserve, a window that ends, and grants that it has room for [BU2] [BU8] [PY2]", () => {
    expect(of({})).toBeUndefined();
    expect(of({ reserve: { ...reserve, memoryMiB: -1 } })).toBe("spec.recovery.reserve.memoryMiB");
    for (const fairnessWindowMs of [999, 3_600_001]) {
      expect(of({ fairnessWindowMs })).toBe("spec.recovery.fairnessWindowMs");
    }
    for (const fairnessWindowMs of [1_000, 3_600_000]) {
      expect(of({ fairnessWindowMs })).toBeUndefined();
    }
    const large = { ...grant, amounts: { ...reserve, memoryMiB: 4_097 } };
    expect(of({ grants: [grant, large] })).toBe("spec.recovery.grants[1].amounts.memoryMiB");
    expect(of({ grants: [{ ...grant, ttlMs: 0 }] })).toBe("spec.recovery.grants[0].ttlMs");
  });

  test("grants each region, tenants and classes once, and no more than can be told apart [BU3] [PY2]", () => {
    const forAds = { ...grant, tenants: ["ads"] };
    expect(of({ grants: [grant, forAds, { ...forAds, region: "eu" }] })).toBeUndefined();
    const again = { ...forAds, ttlMs: 5_000 };
    expect(of({ grants: [grant, forAds, again] })).toBe("spec.recovery.grants[2]");
    const many = Array.from({ length: 65 }, (_, at) => ({ ...grant, region: `r${at}` }));
    expect(of({ grants: many })).toBe("spec.recovery.grants");
  });
});

const bad = (spec: PolicySpec): string | undefined => {
  const put = putting(policyKey("default"), { kind: "Policy", spec });
  return malformed({ ...put, operation: operationId("put") })?.field.split(" ")[1];
};

const stage = (region: string, revision = "r-2") => ({ region, revision });

describe("a policy", () => {
  test("is a pointer or scoring of its own, with each region once [PY4] [OB5]", () => {
    expect(bad({ scoring: "best-fit" })).toBeUndefined();
    expect(bad({ active: "r-1", stages: [stage("a"), stage("b")] })).toBeUndefined();
    expect(bad({})).toBe("spec.scoring");
    expect(bad({ scoring: "best-fit", active: "r-1" })).toBe("spec.scoring");
    expect(bad({ scoring: "best-fit", stages: [stage("a")] })).toBe("spec.stages");
    expect(bad({ active: "r-1", stages: [stage("b"), stage("a")] })).toBe("spec.stages");
    expect(bad({ active: "r-1", stages: [stage("a", "r-1")] })).toBe("spec.stages[0].revision");
  });
});
