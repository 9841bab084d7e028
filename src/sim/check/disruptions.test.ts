import { expect, test } from "vitest";
import type { Replica } from "../../core/model/objects.ts";
import type { Stopping } from "../../core/model/stage.ts";
import { CheckerHarness } from "../../../test/builders/check/checker-harness.ts";
import { createDisruptionsChecker } from "./disruptions.ts";
import { aReplica, aWorkload, bound, withStatus } from "../../../test/builders/check/fixtures.ts";

const serving = (index: number): Replica =>
  bound(aReplica({ spec: { index } }), "node-1", { stage: "serving" });

const stopping = (index: number, reason: Stopping["reason"]): Replica =>
  withStatus(serving(index), { stopping: { reason, sinceMs: 0 } });

function aHarness(maxUnavailable: number, replicas = 3): CheckerHarness {
  const harness = new CheckerHarness(createDisruptionsChecker());
  harness.commit({
    put: [
      aWorkload({ spec: { replicas, disruption: { maxUnavailable } } }),
      ...[0, 1, 2].map(serving),
    ],
  });
  return harness;
}

test("as many as may be are taken out of serving, by whatever means [INV42]", () => {
  const harness = aHarness(2);
  harness.commit({ command: "preempt", role: "preempt", put: [stopping(0, "preempted")] });
  harness.commit({ command: "evict", role: "drain-node", put: [stopping(1, "drain")] });
  expect(harness.found).toEqual([]);
});

test("one more is one too many, whatever took the others [INV42]", () => {
  const harness = aHarness(1);
  harness.commit({ command: "preempt", role: "preempt", put: [stopping(0, "preempted")] });
  harness.commit({ command: "evict", role: "drain-node", put: [stopping(1, "drain")] });
  expect(harness.found).toEqual([
    "INV42 After evict of harness, 2 replicas of Workload/payments/api are out of serving, of which 1 may be.",
  ]);
});

test("an index without a serving replica counts as taken out, too [INV42]", () => {
  const harness = aHarness(1, 4);
  harness.commit({ command: "preempt", role: "preempt", put: [stopping(0, "preempted")] });
  expect(harness.found).toHaveLength(1);
});

test("what the workload itself no longer wants may go [INV42]", () => {
  const harness = aHarness(0);
  harness.commit({ command: "evict", role: "admit", put: [stopping(0, "surplus")] });
  expect(harness.found).toEqual([]);
});

test("a drain takes one replica at a time of a service that states no budget [INV42] [MT6]", () => {
  const harness = new CheckerHarness(createDisruptionsChecker());
  harness.commit({
    put: [aWorkload({ spec: { replicas: 3 } }), ...[0, 1, 2].map(serving)],
  });
  harness.commit({ command: "evict", role: "drain-node", put: [stopping(0, "drain")] });
  harness.commit({ command: "preempt", role: "preempt", put: [stopping(1, "preempted")] });
  expect(harness.found).toEqual([]);
  harness.commit({ command: "evict", role: "drain-node", put: [stopping(2, "drain")] });
  expect(harness.found).toEqual([
    "INV42 After evict of harness, 3 replicas of Workload/payments/api are out of serving, of which a drain may take 1.",
  ]);
});
