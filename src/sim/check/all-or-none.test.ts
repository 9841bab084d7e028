import { expect, test } from "vitest";
import { createAllOrNoneChecker } from "./all-or-none.ts";
import { CheckerHarness } from "../../../test/builders/check/checker-harness.ts";
import { aReplica, bound, withStatus } from "../../../test/builders/check/fixtures.ts";

const index = (number: number, incarnation = 1) =>
  aReplica({ spec: { index: number }, status: { incarnation } });

const newHarness = (): CheckerHarness => new CheckerHarness(createAllOrNoneChecker());

test("a commit that does what its operation names is fine, whatever it leaves to others [INV23]", () => {
  const harness = newHarness();
  const put = [index(0), index(1), index(4, 3)].map((one) => withStatus(one, { stage: "queued" }));
  const operation = "enqueue/Workload/payments/api/u1/1/0-1.1,4.3";
  harness.commit({ command: "enqueue", operation, put });
  harness.commit({
    command: "bind",
    operation: "bind/Replica/payments/api.1.0/u2/1",
    put: [bound(index(0))],
  });
  const rest = [bound(index(1)), bound(index(4, 3))];
  harness.commit({ command: "bind-all", operation: "bind-all/x/u1/1/u2.1/1.1,4.3", put: rest });
  expect(harness.found).toEqual([]);
});

test("a commit that leaves one out, or does more than was asked, is reported [INV23]", () => {
  const harness = newHarness();
  harness.commit({
    command: "bind-all",
    operation: "bind-all/x/u1/1/u2.0/0-2.1",
    put: [bound(index(0))],
  });
  harness.commit({
    command: "enqueue",
    operation: "enqueue/x/u1/1/0.1",
    put: [index(0), index(1, 2)],
  });
  harness.commit({
    command: "bind-all",
    operation: "bind-all/x/u1/1/u2.0/0.2",
    put: [bound(index(0))],
  });
  expect(harness.found).toEqual([
    "INV23 bind-all/x/u1/1/u2.0/0-2.1 left out 1.1, 2.1.",
    "INV23 enqueue/x/u1/1/0.1 also changed 1.2.",
    "INV23 bind-all/x/u1/1/u2.0/0.2 left out 0.2.",
    "INV23 bind-all/x/u1/1/u2.0/0.2 also changed 0.1.",
  ]);
});
