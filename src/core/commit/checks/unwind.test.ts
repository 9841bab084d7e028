import { describe, expect, test } from "vitest";
import { aPoliciedPlane, type PoliciedPlane } from "../../../../test/builders/a-policied-plane.ts";
import { putting } from "../../../../test/builders/a-plane.ts";
import type { WorkloadSpecParts } from "../../../../test/builders/a-workload.ts";
import { codeOf } from "../../../../test/builders/code-of.ts";
import { policyKey } from "../../model/ids.ts";
import { overrideKey } from "../../model/override.ts";
import type { PolicyRules, RollbackWay } from "../../model/policy.ts";
import { whyBindingStays } from "../../rules/left-policy.ts";

/** `api` has three replicas of default-2 that serve; then default-1 is in force again. */
function rolledBack(
  bindings: RollbackWay,
  first: Partial<PolicyRules> = {},
  desired: WorkloadSpecParts = {},
): PoliciedPlane {
  const plane = aPoliciedPlane([first, { onRollback: { bindings } }]);
  plane.class("api", { value: 1 });
  plane.joined("b-1", { zone: "eu-b", cpuMillis: 10_000, memoryMiB: 10_000 });
  plane.contender("api", { cpuMillis: 100, replicas: 3, ...desired });
  plane.activate("default-1", "default-2");
  for (const index of [0, 1, 2]) plane.servesUnder("default-2", "api", index);
  plane.activate("default-2", "default-1");
  return plane;
}

describe("a bind", () => {
  test("names the revision in force in its region, and keeps its name [PY5]", () => {
    const plane = aPoliciedPlane();
    plane.class("api", { value: 1 });
    plane.contender("api", { cpuMillis: 100 });
    const { key } = plane.enqueued("api");
    const bind = {
      kind: "bind",
      replica: key,
      incarnation: 1,
      node: "a-1",
      deviceIds: [],
    } as const;
    expect(plane.send(bind)).toMatchObject({ kind: "conflict", code: "policy-moved" });
    plane.activate("default-1", "default-2", { region: "eu" });
    expect(codeOf(plane.send({ ...bind, policyRevision: "default-1" }))).toBe("policy-moved");
    expect(codeOf(plane.send({ ...bind, policyRevision: "default-2" }))).toBe("committed");
    expect(plane.index("api")!.status.policyRevision).toBe("default-2");
  });

  test("under scoring of its own, or under nothing at all, names none [PY5]", () => {
    const plane = aPoliciedPlane();
    plane.class("api", { value: 1 });
    plane.pointer({ scoring: "best-fit" }, "old");
    plane.contender("api", { cpuMillis: 100, policy: "old" });
    plane.placed("api");
    expect("policyRevision" in plane.index("api")!.status).toBe(false);
  });
});

describe("what a rollback takes back", () => {
  test("under preserve it moves nothing [PY8]", () => {
    const plane = rolledBack("preserve");
    expect(plane.policy().status.left).toBeUndefined();
    expect(plane.unwind("api", "default-2")).toMatchObject({ code: "evidence-wrong" });
    const rooms = aPoliciedPlane([{}, { onRollback: { reservations: "drain" } }]);
    rooms.class("api", { value: 1 });
    rooms.contender("api", { cpuMillis: 100 });
    rooms.activate("default-1", "default-2");
    rooms.servesUnder("default-2", "api");
    rooms.activate("default-2", "default-1");
    expect(rooms.unwind("api", "default-2")).toMatchObject({ actual: "preserved" });
  });

  test.each([
    ["nobody's override lets more go of a service without a budget", undefined, 59_999, false],
    ["a budget that is raised lets more go", { maxUnavailable: 1 }, 59_999, true],
    ["a budget that was raised lets no more go", { maxUnavailable: 1 }, 60_000, false],
  ])("%s [OV9] [PY8]", (_, disruption, afterMs, isRaised) => {
    const plane = rolledBack("drain", {}, disruption === undefined ? {} : { disruption });
    const { meta, spec } = plane.index("api")!;
    const target = { tenant: meta.namespace, workload: spec.workload };
    const override = { target, reason: "slow", ttlMs: 60_000, amount: 1 } as const;
    plane.must(
      putting(overrideKey("more"), {
        kind: "Override",
        spec: { action: "raise-budget", ...override },
      }),
    );
    plane.nowMs += afterMs;
    expect(codeOf(plane.unwind("api", "default-2", 0))).toBe("committed");
    const second = codeOf(plane.unwind("api", "default-2", 1));
    expect(second).toBe(isRaised ? "committed" : "disruption-budget");
  });

  test("under drain it asks each to move, one at a time of a small service [PY8]", () => {
    const plane = rolledBack("drain");
    expect(codeOf(plane.unwind("api", "default-1"))).toBe("evidence-wrong");
    expect(codeOf(plane.unwind("api", "default-2"))).toBe("committed");
    expect(plane.index("api")!.status.stopping).toMatchObject({ reason: "policy" });
    expect(codeOf(plane.unwind("api", "default-2", 1))).toBe("disruption-budget");
    plane.stopped("api", 0);
    expect(codeOf(plane.unwind("api", "default-2", 1))).toBe("disruption-budget");
    plane.servesUnder("default-1", "api", 0, "b-1");
    expect(codeOf(plane.unwind("api", "default-2", 1))).toBe("committed");
    expect(codeOf(plane.unwind("api", "default-1", 0))).toBe("evidence-wrong");
  });

  test("nothing goes once the revision is in force again, or if it was left for a later one [PY7] [PY8]", () => {
    const plane = rolledBack("drain");
    plane.revision("default-3");
    plane.activate("default-1", "default-2");
    expect(codeOf(plane.unwind("api", "default-2"))).toBe("evidence-wrong");
    plane.activate("default-2", "default-3");
    expect(plane.unwind("api", "default-2")).toMatchObject({ actual: "not left" });
  });

  test("under repair it moves those alone that break the spread now in force [PY8]", () => {
    const spread = [{ by: "zone", maxSkew: 1 }];
    expect(codeOf(rolledBack("repair").unwind("api", "default-2"))).toBe("evidence-wrong");
    const plane = rolledBack("repair", { spread });
    expect(codeOf(plane.unwind("api", "default-2"))).toBe("committed");
    plane.stopped("api", 0);
    plane.servesUnder("default-1", "api", 0, "b-1");
    // Two against one is as even as three can be.
    expect(plane.unwind("api", "default-2", 1)).toMatchObject({ actual: "allowed" });
  });

  test("is the controller's to ask for, and a batch stays until it ends [PY8] [ST1]", () => {
    const plane = rolledBack("drain");
    const { key, status } = plane.index("api")!;
    const policy = policyKey("default");
    const evidence = { kind: "policy-rollback", policy, revision: "default-2" } as const;
    const ask = { kind: "evict", replica: key, incarnation: status.incarnation, evidence } as const;
    expect(codeOf(plane.send(ask, { role: "drain-node" }))).toBe("not-owner");
    const { objects } = plane.ledger;
    const replica = plane.index("api")!;
    expect(whyBindingStays(objects, replica)).toBeUndefined();
    const batch = { ...replica, spec: { ...replica.spec, type: "batch" } } as const;
    expect(whyBindingStays(objects, batch)).toBe("a batch");
    const silent = { ...replica, status: { ...replica.status, stage: "unknown" } } as const;
    expect(whyBindingStays(objects, silent)).toBe("silent");
  });
});

/**
 * `low` fills the only node, `high` is queued; `reservations` says what becomes of room that is
 * held for it.
 */
function contest(rules: Partial<PolicyRules>, next: Partial<PolicyRules> = {}): PoliciedPlane {
  const plane = aPoliciedPlane([rules, next]);
  plane.class("low", { value: 10, band: "batch" });
  plane.class("high", { value: 20, band: "base" });
  plane.contender("low", { cpuMillis: 10_000 });
  plane.contender("high", { cpuMillis: 5_000 });
  plane.servesUnder("default-1", "low");
  plane.enqueued("high");
  return plane;
}

const giveBack = (reservations: RollbackWay, first: Partial<PolicyRules>): string => {
  const plane = contest(first, { onRollback: { reservations } });
  plane.activate("default-1", "default-2");
  expect(codeOf(plane.preempt("high", ["low"], { policyRevision: "default-2" }))).toBe("committed");
  plane.activate("default-2", "default-1");
  const { key, spec } = plane.room("high")!;
  const policy = policyKey("default");
  const evidence = { kind: "policy-rollback", policy, revision: "default-2" } as const;
  const ask = { kind: "unreserve", key, incarnation: spec.incarnation, evidence } as const;
  return codeOf(plane.send(ask, { role: "unwind-policy" }));
};

describe("bands that a policy keeps apart", () => {
  test("do not preempt each other, and a band that never preempts evicts no replica [PY6] [PE1]", () => {
    const policyRevision = "default-1";
    const refused = (rules: Partial<PolicyRules>) =>
      codeOf(contest(rules).preempt("high", ["low"], { policyRevision }));
    expect(refused({ preemption: { apart: [["base", "batch"]] } })).toBe("preemption-not-allowed");
    expect(refused({ preemption: { never: ["base"] } })).toBe("preemption-not-allowed");
    expect(refused({ preemption: { never: ["batch"], apart: [["base", "other"]] } })).toBe(
      "committed",
    );
    expect(codeOf(contest({}).preempt("high", ["low"]))).toBe("policy-moved");
  });

  test("room that is held is given back as the plan says [PY8]", () => {
    const apart = { preemption: { apart: [["base", "batch"]] } };
    expect(giveBack("preserve", apart)).toBe("evidence-wrong");
    expect(giveBack("drain", {})).toBe("committed");
    expect(giveBack("repair", {})).toBe("evidence-wrong");
    expect(giveBack("repair", apart)).toBe("committed");
  });
});
