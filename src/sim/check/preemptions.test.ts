import { describe, expect, test } from "vitest";
import type {
  PriorityClass,
  PriorityClassSpec,
  Replica,
  Reservation,
} from "../../core/model/objects.ts";
import { priorityClassKey } from "../../core/model/preemption.ts";
import { CheckerHarness } from "../../../test/builders/check/checker-harness.ts";
import {
  amounts,
  aNode,
  anAsk,
  aReplica,
  aReservation,
  aTemplate,
  bound,
  freed,
  withStatus,
} from "../../../test/builders/check/fixtures.ts";
import { createPreemptionsChecker } from "./preemptions.ts";

const aClass = (name: string, spec: PriorityClassSpec): PriorityClass => {
  const { meta } = aNode({ name });
  return { kind: "PriorityClass", key: priorityClassKey(name), meta, spec, status: {} };
};

const sized = (index: number, cpuMillis: number, priorityClass: string): Replica =>
  aReplica({
    spec: {
      index,
      template: aTemplate({ priorityClass, ask: anAsk({ amounts: amounts({ cpuMillis }) }) }),
    },
  });

const by = withStatus(sized(0, 500, "high"), { stage: "queued" });
const victims = [1, 2].map((index) => bound(sized(index, 500, "low")));

const hold = (owner: Replica): Reservation =>
  aReservation(owner, {
    name: "room",
    for: "preemptor",
    room: { node: "node-1", deviceIds: [], epoch: 1 },
  });

const preempted = (replica: Replica): Replica =>
  withStatus(replica, { stopping: { reason: "preempted", sinceMs: 0, by: by.key } });

function aHarness(
  low: PriorityClassSpec = { value: 1 },
  high: PriorityClassSpec = { value: 2 },
): CheckerHarness {
  const harness = new CheckerHarness(createPreemptionsChecker());
  harness.commit({ put: [aNode(), aClass("low", low), aClass("high", high), by, ...victims] });
  return harness;
}

const preempt = (harness: CheckerHarness, taken: readonly Replica[]): void => {
  harness.commit({ command: "preempt", role: "preempt", put: [hold(by), ...taken.map(preempted)] });
};

describe("a preemption", () => {
  test("of one that may be taken and is needed is as it should be [INV41]", () => {
    const harness = aHarness();
    preempt(harness, victims.slice(1));
    expect(harness.found).toEqual([]);
  });

  test.each<{ title: string; low: PriorityClassSpec; high: PriorityClassSpec; why: string }>([
    {
      title: "an equal [INV41]",
      low: { value: 2 },
      high: { value: 2 },
      why: "has value 2 against 2",
    },
    {
      title: "one of its band [INV41]",
      low: { value: 1, band: "x" },
      high: { value: 2, band: "x" },
      why: "is of the same band x",
    },
    {
      title: "one that is not preemptible [INV41]",
      low: { value: 1, preemptible: false },
      high: { value: 2 },
      why: "meets a class that is not preemptible",
    },
    {
      title: "any replica by a class that never preempts [INV41]",
      low: { value: 1 },
      high: { value: 2, preempts: "never" },
      why: "is of a class that never preempts",
    },
  ])("of $title is found", ({ low, high, why }) => {
    const harness = aHarness(low, high);
    preempt(harness, victims.slice(1));
    expect(harness.found.join()).toContain(why);
  });

  test("of more than are needed is found [INV41]", () => {
    const harness = aHarness();
    preempt(harness, victims);
    expect(harness.found.join()).toContain("would fit on node-1 without");
  });

  test("that does not make enough room is found [INV41]", () => {
    const harness = aHarness();
    harness.commit({ put: [aNode({ spec: { capacity: amounts({ cpuMillis: 900 }) } })] });
    preempt(harness, victims.slice(1));
    expect(harness.found.join()).toContain("does not fit on node-1 even without its victims");
  });

  test("by any other command is found [INV41]", () => {
    const harness = aHarness();
    harness.commit({ command: "evict", role: "drain-node", put: [preempted(victims[0]!)] });
    expect(harness.found.join()).toContain("was preempted by evict");
  });
});

describe("an end to it", () => {
  test("comes because an incarnation whose room was not lost asks for no more [INV43]", () => {
    const harness = aHarness();
    preempt(harness, victims.slice(1));
    const second = { ...hold(by), key: "Reservation/payments/again" as never };
    harness.commit({ command: "preempt", role: "preempt", put: [second, preempted(victims[0]!)] });
    expect(harness.found.join()).toContain(
      "INV43 Replica/payments/api.1.0 incarnation 1 preempts again",
    );
  });

  test("allows that lost room is asked for anew [INV43]", () => {
    const harness = aHarness();
    preempt(harness, victims.slice(1));
    harness.commit({ command: "report", role: "agent", put: [freed(victims[1]!)] });
    harness.commit({ command: "unreserve", role: "reclaim-leak", remove: [hold(by).key] });
    harness.commit({ command: "put", put: [bound(sized(3, 500, "low"))] });
    harness.commit({
      command: "preempt",
      role: "preempt",
      put: [hold(by), preempted(victims[0]!)],
    });
    expect(harness.found.filter((line) => line.startsWith("INV43"))).toEqual([]);
  });

  test("is seen in the number that goes within a minute [INV43]", () => {
    const harness = aHarness();
    const crowd = Array.from({ length: 50_001 }, (_, index) =>
      preempted(bound(sized(index + 1, 0, "low"))),
    );
    const changes = [hold(by), ...crowd].map((after) => ({
      key: after.key,
      before: undefined,
      after,
    }));
    harness.commit({ command: "preempt", role: "preempt", changes });
    expect(harness.found.join()).toContain("50001 replicas were preempted within a minute");
  });
});
