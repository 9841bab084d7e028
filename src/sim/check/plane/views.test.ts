import { expect, test } from "vitest";
import { View } from "../../../core/observe/view.ts";
import { CheckerBench } from "../../../../test/builders/check/checker-bench.ts";
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

/** A bench with one client, which has followed the log up to here. */
function benchWith(node?: string): { bench: CheckerBench; view: View; follow: () => void } {
  const bench = new CheckerBench(createViewsChecker());
  const view = new View({ kinds: new Set(["Replica", "Quota"]), node });
  bench.everyClient = [aBeliever({ view })];
  bench.sample();
  const follow = (): void => void view.follow(bench.commits, bench.commits.length, 1);
  return { bench, view, follow };
}

function endLater(bench: CheckerBench): string[] {
  bench.sample();
  bench.nowMs += LONG_MS;
  bench.finish();
  return bench.found;
}

test("a view that moves forward within the log is fine [INV16]", () => {
  const { bench, view, follow } = benchWith();
  bench.commit({ put: [aQuota()] });
  follow();
  bench.checker.viewMoved?.("place-1", view, { revision: 0, epoch: 0 }, bench, bench.report);
  expect(bench.found).toEqual([]);
});

test("a view that goes back, or ahead of the log, is reported [INV16]", () => {
  const { bench, view } = benchWith();
  bench.commit({ put: [aQuota()] });
  bench.checker.viewMoved?.("place-1", view, { revision: 1, epoch: 1 }, bench, bench.report);
  view.revision = 7;
  view.epoch = 1;
  bench.checker.viewMoved?.("place-1", view, { revision: 1, epoch: 1 }, bench, bench.report);
  expect(bench.found).toEqual([
    "INV16 The view of place-1 went back from revision 1 to 0.",
    "INV16 The view of place-1 went back from epoch 1 to 0.",
    "INV16 The view of place-1 is at revision 7; the durable log ends at 1.",
  ]);
});

test("a view that holds the truth at the end is fine [INV16]", () => {
  const { bench, follow } = benchWith();
  bench.commit({ put: [aQuota(), replica] });
  bench.commit({ remove: [replica.key] });
  follow();
  expect(endLater(bench)).toEqual([]);
});

test("an event that was lost for good is reported at the end [INV16]", () => {
  const { bench, follow } = benchWith();
  bench.commit({ put: [aQuota()] });
  follow();
  bench.commit({ put: [aQuota({ cpuMillis: 1 }), replica] });
  expect(endLater(bench)).toEqual([
    "INV16 Replica/payments/api.1.0 is at revision 2; place-1 does not hold it.",
    "INV16 Quota/payments/default is at revision 2; place-1 holds revision 1.",
    "INV16 place-1 still holds Quota/payments/default, which was replaced at revision 2.",
  ]);
});

test("an object that is gone and still believed in is reported at the end [INV16]", () => {
  const { bench, follow } = benchWith();
  bench.commit({ put: [replica] });
  follow();
  bench.commit({ remove: [replica.key] });
  expect(endLater(bench)).toEqual([
    "INV16 place-1 still holds Replica/payments/api.1.0, which was removed at revision 2.",
  ]);
});

test("what has only just been committed may still be under way at the end [INV16]", () => {
  const { bench, follow } = benchWith();
  bench.commit({ put: [aQuota()] });
  follow();
  bench.sample();
  bench.nowMs = LONG_MS;
  bench.commit({ put: [aQuota()] });
  bench.finish();
  expect(bench.found).toEqual([]);
});

test("an agent answers only for the replicas of its own node [INV16]", () => {
  const { bench, view, follow } = benchWith("node-1");
  bench.commit({ put: [bound(replica), bound(aReplica({ spec: { slot: 1 } }), "node-2")] });
  follow();
  expect(view.objects.all("Replica").size).toBe(1);
  expect(endLater(bench)).toEqual([]);
  bench.commit({ put: [freed(replica)] });
  expect(endLater(bench)).toEqual([
    "INV16 place-1 still holds Replica/payments/api.1.0, which was replaced at revision 2.",
  ]);
});
