import { expect, test } from "vitest";
import { CheckerHarness } from "../../../../test/builders/check/checker-harness.ts";
import {
  aLease,
  aNode,
  aReplica,
  aTemplate,
  aWorkload,
  bound,
} from "../../../../test/builders/check/fixtures.ts";
import { createProgressChecker } from "./progress.ts";
import { unfinished } from "./unfinished.ts";

const FAULTS_OVER = { faultsUntilMs: 0 };
const onDisconnect = "keep" as const;

function aHarness(): CheckerHarness {
  return new CheckerHarness(createProgressChecker(), FAULTS_OVER);
}

const rules = (harness: CheckerHarness): readonly string[] =>
  [...unfinished(harness)].map(({ rule, key }) => `${rule} ${key}`);

test("what still holds a deleted node after four minutes is reported [LIV12]", () => {
  const harness = aHarness();
  const serving = bound(aReplica(), "node-1", { stage: "serving" });
  harness.commit({ put: [aWorkload(), serving, aLease()] });
  harness.sample();
  harness.nowMs = 239_999;
  harness.finish();
  expect(harness.found).toEqual([]);
  harness.nowMs = 240_000;
  harness.finish();
  expect(harness.found).toEqual([
    "LIV12 Replica/payments/api.1.0 still holds node-1, which was deleted. It has been so for 240000 ms.",
  ]);
});

test("a lease that is left of one is unfinished, and one of a node that is there is not [LIV12]", () => {
  const harness = aHarness();
  harness.commit({ put: [aLease(), aNode({ name: "node-2" }), aLease("node-2")] });
  expect(rules(harness)).toEqual(["LIV12 Lease//node-1"]);
});

test("what keeps running on purpose there is a person's business, with all that waits for it [LIV12]", () => {
  const harness = aHarness();
  const keeps = aReplica({ spec: { template: aTemplate({ onDisconnect }) } });
  const going = aWorkload({ meta: { deletingMs: 1 } });
  harness.commit({ put: [going, bound(keeps, "node-1", { stage: "serving" }), aLease()] });
  expect(rules(harness)).toEqual([]);
});
