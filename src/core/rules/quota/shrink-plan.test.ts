import { expect, test } from "vitest";
import { aGroup, cpu } from "../../../../test/builders/a-group.ts";
import { shrinkPlan } from "./shrink-plan.ts";

function shrunk(limit: number) {
  const group = aGroup({ one: { limit: 400 } });
  for (const index of [0, 1, 2, 3]) {
    group.nowMs += 1_000;
    group.runs("one", index);
  }
  group.setQuota("one", { limit: cpu(limit) });
  return group;
}

test("a quota that covers what is used needs no plan [QT3]", () => {
  expect(shrinkPlan(shrunk(400).ledger.objects, "one")).toBeUndefined();
  expect(shrinkPlan(shrunk(400).ledger.objects, "nobody")).toBeUndefined();
});

test("the plan says how much is over and who goes in which order, without drain as they end [QT3]", () => {
  const plan = shrinkPlan(shrunk(250).ledger.objects, "one");
  expect(plan).toMatchObject({ over: { cpuMillis: 150 }, how: "wait" });
  expect(plan?.replicas.map(({ spec }) => spec.index)).toEqual([3, 2]);
});

test("those already on their way out come first, and are counted [QT3]", () => {
  const group = shrunk(250);
  group.setQuota("one", { limit: cpu(250), shrink: "drain" });
  group.evict("one", 0, { kind: "quota-shrunk", quota: group.quotaOf("one").key });
  const plan = shrinkPlan(group.ledger.objects, "one");
  expect(plan?.how).toBe("drain");
  expect(plan?.replicas.map(({ spec }) => spec.index)).toEqual([0, 3]);
});
