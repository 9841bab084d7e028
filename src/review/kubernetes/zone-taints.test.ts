import { expect, test } from "vitest";
import { controllerTimes } from "./controller-times.ts";
import { RequestBudget } from "./request-budget.ts";
import { Timeline } from "./timeline.ts";
import { ZoneTaints } from "./zone-taints.ts";

const zone = (...nodes: readonly string[]): ZoneTaints => {
  const taints = new ZoneTaints(controllerTimes(undefined));
  for (const node of nodes) taints.requeue(node);
  return taints;
};

test("a zone taints one node at once and then one every ten seconds", () => {
  const taints = zone("a", "b");
  expect([taints.take(0), taints.take(0), taints.nextMs]).toEqual(["a", undefined, 10_000]);
  expect([taints.take(9_999), taints.take(10_000)]).toEqual([undefined, "b"]);
});

test.each([
  { unhealthy: 2, nodes: 3, state: "Normal" },
  { unhealthy: 3, nodes: 6, state: "Normal" },
  { unhealthy: 11, nodes: 20, state: "PartialDisruption" },
  { unhealthy: 10, nodes: 19, state: "Normal" },
  { unhealthy: 1, nodes: 1, state: "FullDisruption" },
  { unhealthy: 16, nodes: 16, state: "FullDisruption" },
])("a zone with $unhealthy of $nodes nodes unhealthy is in $state", (row) => {
  expect(zone().stateOf(row.unhealthy, row.nodes)).toBe(row.state);
});

test("a partly disrupted zone of 50 nodes taints none, one of 51 a node every hundred seconds", () => {
  const small = zone("a");
  small.enter("PartialDisruption", 50, 0);
  expect(small.nextMs).toBeUndefined();
  const large = zone("a", "b");
  large.enter("PartialDisruption", 51, 0);
  expect([large.take(0), large.take(99_999), large.take(100_000)]).toEqual(["a", undefined, "b"]);
});

test("a zone that was stopped begins anew without a token", () => {
  const taints = zone("a");
  taints.enter("PartialDisruption", 16, 0);
  taints.enter("Normal", 16, 500_000);
  expect(taints.nextMs).toBe(510_000);
});

test("a node that is looked at again goes to the end of its zone's queue", () => {
  const taints = zone("a", "b");
  taints.requeue("a");
  expect(taints.take(0)).toBe("b");
});

test("a client sends thirty requests at once and then twenty a second", () => {
  const budget = new RequestBudget({ periodMs: 50, burst: 30 });
  const sent = Array.from({ length: 32 }, () => budget.take(1_000));
  expect([sent[0], sent[29], sent[30], sent[31]]).toEqual([1_000, 1_000, 1_050, 1_100]);
  expect(budget.take(60_000)).toBe(60_000);
});

test("a timeline gives its events by time, and equal ones as they came", () => {
  const timeline = new Timeline<string>();
  for (const [atMs, event] of [
    [5, "c"],
    [1, "a"],
    [5, "d"],
    [3, "b"],
    [9, "e"],
  ] as const) {
    timeline.push(atMs, event);
  }
  const taken: string[] = [];
  for (let next = timeline.popUntil(8); next !== undefined; next = timeline.popUntil(8)) {
    taken.push(next.event);
  }
  expect(taken).toEqual(["a", "b", "c", "d"]);
});
