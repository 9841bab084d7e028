import { expect, test } from "vitest";
import { anAgent, onNode } from "../../../test/builders/an-agent.ts";
import { LOAD_LIMITS } from "../model/limits/load-limits.ts";
import type { Replica } from "../model/objects.ts";
import { isRenewal } from "./effect-order.ts";

const AT_ONCE = LOAD_LIMITS.startsAtOnce.value;

const crowd = (count: number): readonly Replica[] =>
  Array.from({ length: count }, (_, index) => onNode({ index }));

test("of a list of many, only so many are claimed at once; the others wait with a reason, a deadline and a timer [LB4] [RN6]", () => {
  const harness = anAgent(crowd(AT_ONCE + 50));
  expect(harness.reports).toHaveLength(AT_ONCE);
  const owed = harness.agent.owed().filter(({ reason }) => reason === "start-rate");
  expect(owed).toHaveLength(50);
  for (const { deadlineMs } of owed) expect(deadlineMs).toBe(5_000);
});

test("each second lets so many more begin, once those before them have [LB4]", () => {
  const harness = anAgent(crowd(AT_ONCE + 50));
  for (const { key } of crowd(AT_ONCE)) harness.exited(1, key);
  expect(harness.reports.filter((stage) => stage === "starting")).toHaveLength(AT_ONCE);
  harness.later(1_000);
  expect(harness.reports.filter((stage) => stage === "starting")).toHaveLength(
    AT_ONCE + LOAD_LIMITS.startsPerSecond.value,
  );
});

test("one that is no longer wanted leaves its place to others [LB4]", () => {
  const all = crowd(AT_ONCE + 2);
  const harness = anAgent(all);
  const waiting = harness.agent.owed().filter(({ reason }) => reason === "start-rate");
  const [gone, stays] = waiting.map(({ key }) => key);
  harness.listed(
    all.filter(({ key }) => key !== gone),
    11,
  );
  for (const { key } of all.slice(0, AT_ONCE)) harness.exited(1, key);
  harness.later(60_000).renewed();
  harness.later(100);
  expect(harness.lastReport?.replica ?? "").not.toBe(gone);
  expect(harness.agent.processes.get(stays!)).toBeDefined();
});

test("the renewal goes out before everything else that a turn decides, and after what must be durable first [LB6]", () => {
  const harness = anAgent([onNode()]).reportLanded(12);
  // A turn in which a process is started and the lease is due.
  harness.now = 5_000;
  harness.saw(onNode({ stage: "starting" }), 12, 2);
  const kinds = harness.last.map((effect) => (isRenewal(effect) ? "lease" : effect.kind));
  expect(kinds.slice(0, 2)).toEqual(["remember", "lease"]);
  expect(kinds).toContain("start-process");
});

test("a leash that was extended reaches the shims before anything is started under it [LB6]", () => {
  const harness = anAgent(crowd(3)).later(16_000).renewed();
  expect(harness.last[0]?.kind).toBe("leash");
});
