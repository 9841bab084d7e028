import { expect, test } from "vitest";
import { CheckerBench } from "../../../../test/builders/check/checker-bench.ts";
import {
  aLease,
  aNode,
  aReplica,
  aTemplate,
  aWorkload,
  bound,
} from "../../../../test/builders/check/fixtures.ts";
import { createProgressChecker } from "./progress.ts";
import { unrest } from "./unrest.ts";

const FAULTS_OVER = { faultsUntilMs: 0 };
const onDisconnect = "keep" as const;

function aBench(): CheckerBench {
  return new CheckerBench(createProgressChecker(), FAULTS_OVER);
}

const rules = (bench: CheckerBench): readonly string[] =>
  [...unrest(bench)].map(({ rule, key }) => `${rule} ${key}`);

test("what still holds a deleted node after four minutes is reported [LIV12]", () => {
  const bench = aBench();
  const serving = bound(aReplica(), "node-1", { stage: "serving" });
  bench.commit({ put: [aWorkload(), serving, aLease()] });
  bench.sample();
  bench.nowMs = 239_999;
  bench.finish();
  expect(bench.found).toEqual([]);
  bench.nowMs = 240_000;
  bench.finish();
  expect(bench.found).toEqual([
    "LIV12 Replica/payments/api.1.0 still holds node-1, which was deleted. It has been so for 240000 ms.",
  ]);
});

test("a lease that is left of one is unrest, and one of a node that is there is not [LIV12]", () => {
  const bench = aBench();
  bench.commit({ put: [aLease(), aNode({ name: "node-2" }), aLease("node-2")] });
  expect(rules(bench)).toEqual(["LIV12 Lease//node-1"]);
});

test("what keeps running on purpose there is a person's business, with all that waits for it [LIV12]", () => {
  const bench = aBench();
  const keeps = aReplica({ spec: { template: aTemplate({ onDisconnect }) } });
  const going = aWorkload({ meta: { deletingMs: 1 } });
  bench.commit({ put: [going, bound(keeps, "node-1", { stage: "serving" }), aLease()] });
  expect(rules(bench)).toEqual([]);
});
