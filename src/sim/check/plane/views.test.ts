import { expect, test } from "vitest";
import { View } from "../../../core/observe/view.ts";
import { CheckerHarness } from "../../../../test/builders/check/checker-harness.ts";
import {
  aBeliever,
  aQuota,
  aReplica,
  bound,
  freed,
} from "../../../../test/builders/check/fixtures.ts";
import { createViewsChecker } from "./views.ts";

const LONG_MS = 180_000;
const replica = aReplica();

/** A harness with one client, which has followed the log up to here. */
function benchWith(node?: string): { harness: CheckerHarness; view: View; follow: () => void } {
  const harness = new CheckerHarness(createViewsChecker());
  const view = new View({ kinds: new Set(["Replica", "Quota"]), node });
  harness.everyClient = [aBeliever({ view })];
  harness.sample();
  const follow = (): void => void view.follow(harness.commits, harness.commits.length, 1);
  return { harness, view, follow };
}

function endLater(harness: CheckerHarness): string[] {
  harness.sample();
  harness.nowMs += LONG_MS;
  harness.finish();
  return harness.found;
}

test("a view that moves forward within the log is fine [INV16]", () => {
  const { harness, view, follow } = benchWith();
  harness.commit({ put: [aQuota()] });
  follow();
  harness.checker.viewMoved?.("place-1", view, { revision: 0, epoch: 0 }, harness, harness.report);
  expect(harness.found).toEqual([]);
});

test("a view that goes back, or ahead of the log, is reported [INV16]", () => {
  const { harness, view } = benchWith();
  harness.commit({ put: [aQuota()] });
  harness.checker.viewMoved?.("place-1", view, { revision: 1, epoch: 1 }, harness, harness.report);
  view.revision = 7;
  view.epoch = 1;
  harness.checker.viewMoved?.("place-1", view, { revision: 1, epoch: 1 }, harness, harness.report);
  expect(harness.found).toEqual([
    "INV16 The view of place-1 went back from revision 1 to 0.",
    "INV16 The view of place-1 went back from epoch 1 to 0.",
    "INV16 The view of place-1 is at revision 7; the durable log ends at 1.",
  ]);
});

test("a view that holds the truth at the end is fine [INV16]", () => {
  const { harness, follow } = benchWith();
  harness.commit({ put: [aQuota(), replica] });
  harness.commit({ remove: [replica.key] });
  follow();
  expect(endLater(harness)).toEqual([]);
});

test("an event that was lost for good is reported at the end [INV16]", () => {
  const { harness, follow } = benchWith();
  harness.commit({ put: [aQuota()] });
  follow();
  harness.commit({ put: [aQuota({ cpuMillis: 1 }), replica] });
  expect(endLater(harness)).toEqual([
    "INV16 Replica/payments/api.1.0 is at revision 2; place-1 does not hold it.",
    "INV16 Quota/payments/default is at revision 2; place-1 holds revision 1.",
    "INV16 place-1 still holds Quota/payments/default, which was replaced at revision 2.",
  ]);
});

test("an object that is gone and still believed in is reported at the end [INV16]", () => {
  const { harness, follow } = benchWith();
  harness.commit({ put: [replica] });
  follow();
  harness.commit({ remove: [replica.key] });
  expect(endLater(harness)).toEqual([
    "INV16 place-1 still holds Replica/payments/api.1.0, which was removed at revision 2.",
  ]);
});

test("what has only just been committed may still be under way at the end [INV16]", () => {
  const { harness, follow } = benchWith();
  harness.commit({ put: [aQuota()] });
  follow();
  harness.sample();
  harness.nowMs = LONG_MS;
  harness.commit({ put: [aQuota()] });
  harness.finish();
  expect(harness.found).toEqual([]);
});

test("an agent answers only for the replicas of its own node [INV16]", () => {
  const { harness, view, follow } = benchWith("node-1");
  harness.commit({ put: [bound(replica), bound(aReplica({ spec: { index: 1 } }), "node-2")] });
  follow();
  expect(view.objects.all("Replica").size).toBe(1);
  expect(endLater(harness)).toEqual([]);
  harness.commit({ put: [freed(replica)] });
  expect(endLater(harness)).toEqual([
    "INV16 place-1 still holds Replica/payments/api.1.0, which was replaced at revision 2.",
  ]);
});
