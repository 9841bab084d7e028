import { describe, expect, test } from "vitest";
import { aContest, Contest } from "../../../../test/builders/a-contest.ts";
import { aNodeSpec } from "../../../../test/builders/a-node.ts";
import { putting } from "../../../../test/builders/a-plane.ts";
import { codeOf } from "../../../../test/builders/code-of.ts";
import { nodeKey } from "../../model/ids.ts";
import type { PriorityClassSpec } from "../../model/objects.ts";
import { HOLD_SLACK_MS, PREEMPTED_PER_MINUTE, priorityClassKey } from "../../model/preemption.ts";
import type { PreemptedAt } from "../../protocol/snapshot.ts";

describe("a preemption", () => {
  test("asks its victims to stop and holds their room, in one commit and on its own evidence [PE3]", () => {
    const contest = aContest();
    contest.nowMs = 7_000;
    expect(codeOf(contest.preempt("high", ["low.1"]))).toBe("committed");
    const by = contest.index("high")!.key;
    expect(contest.lastCommit.evidence).toEqual({ kind: "preempted", by });
    expect(contest.lastCommit.changes).toHaveLength(3);
    expect(contest.index("low", 1)!.status).toMatchObject({
      stage: "serving",
      node: "a-1",
      stopping: { reason: "preempted", sinceMs: 7_000, by },
    });
    expect(contest.index("low", 0)!.status.stopping).toBeUndefined();
    expect(contest.room("high")!.spec).toMatchObject({
      owner: by,
      incarnation: 1,
      deadlineMs: 67_000,
      for: "preemptor",
      room: { node: "a-1", deviceIds: [], epoch: 1 },
    });
  });

  test("takes no quota: the replica has its own [PE3]", () => {
    const contest = aContest();
    const before = contest.account();
    contest.preempt("high", ["low.1"]);
    expect(contest.account()).toEqual(before);
  });

  test("is the preempt controller's to ask for [ST1]", () => {
    const contest = aContest();
    const { key, status } = contest.index("high")!;
    const ask = {
      kind: "preempt",
      replica: key,
      incarnation: status.incarnation,
      node: "a-1",
    } as const;
    const rest = { deviceIds: [], victims: [], holdMs: 1 };
    expect(codeOf(contest.send({ ...ask, ...rest }, { role: "place" }))).toBe("not-owner");
  });

  test("is for a replica that is queued, in the incarnation it speaks of [ST2] [ST3]", () => {
    const contest = aContest();
    expect(codeOf(contest.preempt("high", ["low.1"], { incarnation: 2 }))).toBe(
      "wrong-incarnation",
    );
    contest.contender("late", { priorityClass: "high" });
    contest.must({
      kind: "admit",
      workload: "Workload/payments/late" as never,
      generation: 1,
      index: 0,
      incarnation: 1,
    });
    expect(codeOf(contest.preempt("late", ["low.1"]))).toBe("wrong-stage");
  });

  test("holds room once per incarnation [RS1]", () => {
    const contest = aContest({ low: { cpuMillis: 500 } });
    contest.preempt("high", ["low.1"]);
    expect(codeOf(contest.preempt("high", ["low.0"]))).toBe("reservation-exists");
  });

  test("an incarnation that lost its room asks for it under another operation than before [OP1]", () => {
    const contest = aContest();
    contest.preempt("high", ["low.1"]);
    expect(contest.index("high")!.status.preemptions).toBe(1);
  });
});

const withClasses = (low: PriorityClassSpec, high: PriorityClassSpec): Contest => {
  const contest = aContest();
  contest.class("low", low);
  contest.class("high", high);
  return contest;
};

describe("the victims", () => {
  test.each<{ title: string; low: PriorityClassSpec; high: PriorityClassSpec }>([
    { title: "of an equal class [PE1]", low: { value: 20 }, high: { value: 20 } },
    { title: "of a higher class [PE1]", low: { value: 30 }, high: { value: 20 } },
    {
      title: "of the same band [PE1]",
      low: { value: 1, band: "b" },
      high: { value: 2, band: "b" },
    },
    {
      title: "that are not preemptible [PE1]",
      low: { value: 1, preemptible: false },
      high: { value: 2 },
    },
    {
      title: "of whom a class that never preempts asks [PE1]",
      low: { value: 1 },
      high: { value: 2, preempts: "never" },
    },
  ])("stay when they are $title", ({ low, high }) => {
    const contest = withClasses(low, high);
    expect(codeOf(contest.preempt("high", ["low.1"]))).toBe("preemption-not-allowed");
    expect(contest.index("low", 1)!.status.stopping).toBeUndefined();
  });

  test("are checked by the classes of this moment, not by those of when they came [PE1]", () => {
    const contest = withClasses({ value: 30 }, { value: 20 });
    contest.class("low", { value: 10 });
    expect(codeOf(contest.preempt("high", ["low.1"]))).toBe("committed");
  });

  test("are none that could stay [PE3]", () => {
    const contest = aContest();
    expect(contest.preempt("high", ["low.0", "low.1"])).toMatchObject({
      code: "preemption-not-needed",
      rule: "PE3",
    });
  });

  test("make room enough, or none is asked to leave [PE3]", () => {
    const contest = aContest({ high: { cpuMillis: 600 } });
    expect(codeOf(contest.preempt("high", ["low.1"]))).toBe("node-full");
    expect(codeOf(contest.preempt("high", ["low.0", "low.1"]))).toBe("committed");
  });

  test("are on that node, in the incarnation that was seen, and not leaving already [ST2] [ST3]", () => {
    const contest = aContest();
    contest.joined("b-1");
    const victims = [{ replica: contest.index("low", 1)!.key, incarnation: 9 }];
    expect(codeOf(contest.preempt("high", [], { victims }))).toBe("wrong-incarnation");
    expect(codeOf(contest.preempt("high", ["low.1"], { node: "b-1" }))).toBe("wrong-stage");
    contest.contender("other", { cpuMillis: 500, priorityClass: "high" });
    contest.enqueued("other");
    contest.preempt("high", ["low.1"]);
    expect(codeOf(contest.preempt("other", ["low.1"]))).toBe("wrong-stage");
  });

  test("are named once each [PE3]", () => {
    expect(codeOf(aContest().preempt("high", ["low.1", "low.1"]))).toBe("bad-object");
  });
});

describe("the node", () => {
  test("counts what is held there for others, and those who leave as gone [PE3]", () => {
    const contest = aContest();
    contest.contender("other", { cpuMillis: 500, priorityClass: "high" });
    contest.enqueued("other");
    contest.preempt("high", ["low.1"]);
    expect(codeOf(contest.preempt("other", []))).toBe("node-full");
    expect(codeOf(contest.preempt("other", ["low.0"]))).toBe("committed");
  });

  test("must be open to the replica like for a bind [BD3]", () => {
    const contest = aContest();
    const spec = aNodeSpec({ cordons: [{ holder: "user", reason: "test" }] });
    contest.must(putting(nodeKey("a-1"), { kind: "Node", spec }));
    expect(codeOf(contest.preempt("high", ["low.1"]))).toBe("node-not-schedulable");
  });

  test("gives units that its victims have, and no others [BD5]", () => {
    const contest = new Contest({ deviceIds: ["d0", "d1"] });
    for (const [name, value] of [
      ["low", 1],
      ["high", 2],
    ] as const)
      contest.class(name, { value });
    contest.contender("low", { devices: 1, replicas: 2 });
    contest.contender("high", { devices: 1 });
    contest.placed("low", 0, { deviceIds: ["d0"] });
    contest.placed("low", 1, { deviceIds: ["d1"] });
    contest.enqueued("high");
    expect(codeOf(contest.preempt("high", ["low.1"], { deviceIds: ["d0"] }))).toBe("device-taken");
    expect(codeOf(contest.preempt("high", ["low.1"], { deviceIds: ["d1"] }))).toBe("committed");
    contest.stopped("low", 1);
    expect(codeOf(contest.place("high", 0, { deviceIds: ["d1"] }))).toBe("committed");
  });

  test("whose room becomes free anyway is held without victims, by those who might have asked [PE3]", () => {
    const contest = aContest();
    contest.contender("other", { cpuMillis: 500, priorityClass: "high" });
    contest.enqueued("other");
    expect(codeOf(contest.preempt("other", []))).toBe("preemption-not-allowed");
    contest.contender("low", { cpuMillis: 500, replicas: 1 });
    const { key, status } = contest.index("low", 1)!;
    const evidence = { kind: "surplus", workload: "Workload/payments/low" as never } as const;
    contest.must({ kind: "evict", replica: key, incarnation: status.incarnation, evidence });
    expect(codeOf(contest.preempt("other", []))).toBe("committed");
    contest.contender("plain", { cpuMillis: 500, priorityClass: "" });
    contest.enqueued("plain");
    expect(codeOf(contest.preempt("plain", []))).toBe("preemption-not-allowed");
  });

  test("that has room already needs no preemption [PE3]", () => {
    const contest = aContest();
    contest.contender("low", { cpuMillis: 500, replicas: 1 });
    const { key, status } = contest.index("low", 1)!;
    const evidence = { kind: "surplus", workload: "Workload/payments/low" as never } as const;
    contest.must({ kind: "evict", replica: key, incarnation: status.incarnation, evidence });
    contest.contender("tiny", { cpuMillis: 0, memoryMiB: 1, priorityClass: "high" });
    contest.enqueued("tiny");
    expect(codeOf(contest.preempt("tiny", []))).toBe("preemption-not-needed");
  });
});

describe("what may be taken from a workload", () => {
  test("is no more than it can spare [PE4]", () => {
    const contest = aContest({ low: { disruption: { maxUnavailable: 0 } } });
    expect(contest.preempt("high", ["low.1"])).toMatchObject({
      code: "disruption-budget",
      rule: "PE4",
    });
    contest.contender("low", { cpuMillis: 500, replicas: 2, disruption: { maxUnavailable: 1 } });
    expect(codeOf(contest.preempt("high", ["low.1"]))).toBe("committed");
  });

  test("counts all victims of one command together, and those who are out of serving anyway [PE4]", () => {
    const of = { low: { disruption: { maxUnavailable: 1 } }, high: { cpuMillis: 1000 } };
    expect(codeOf(aContest(of).preempt("high", ["low.0", "low.1"]))).toBe("disruption-budget");
    const contest = aContest({ low: { disruption: { maxUnavailable: 1 }, replicas: 3 } });
    expect(codeOf(contest.preempt("high", ["low.1"]))).toBe("disruption-budget");
  });

  test("says nothing of a replica that does not serve [PE4]", () => {
    const contest = new Contest();
    contest.class("low", { value: 1 });
    contest.class("high", { value: 2 });
    contest.contender("low", { cpuMillis: 1000, disruption: { maxUnavailable: 0 } });
    contest.contender("high", { cpuMillis: 500 });
    contest.placed("low");
    contest.enqueued("high");
    expect(codeOf(contest.preempt("high", ["low.0"]))).toBe("committed");
  });

  test("binds a drain as well, from any sender [PE4]", () => {
    const contest = aContest({ low: { disruption: { maxUnavailable: 1 } } });
    contest.must(putting(nodeKey("a-1"), { kind: "Node", spec: aNodeSpec({ draining: true }) }));
    const evict = (index: number) => {
      const { key, status } = contest.index("low", index)!;
      const evidence = { kind: "drain", node: "a-1" } as const;
      return codeOf(
        contest.send({ kind: "evict", replica: key, incarnation: status.incarnation, evidence }),
      );
    };
    expect(evict(0)).toBe("committed");
    expect(evict(1)).toBe("disruption-budget");
  });

  test("does not keep what the workload itself no longer wants [PE4]", () => {
    const contest = aContest({ low: { disruption: { maxUnavailable: 0 } } });
    contest.contender("low", { cpuMillis: 500, replicas: 1, disruption: { maxUnavailable: 0 } });
    const { key, status } = contest.index("low", 1)!;
    const evidence = { kind: "surplus", workload: "Workload/payments/low" as never } as const;
    const evicted = contest.send({
      kind: "evict",
      replica: key,
      incarnation: status.incarnation,
      evidence,
    });
    expect(codeOf(evicted)).toBe("committed");
  });
});

const full = (atMs: number): readonly PreemptedAt[] => [{ atMs, victims: PREEMPTED_PER_MINUTE }];

describe("the rate", () => {
  test("is bounded in any minute, on the authority's clock [PE5]", () => {
    const contest = aContest();
    contest.ledger.preempted.restore(full(10_000));
    contest.nowMs = 69_999;
    expect(contest.preempt("high", ["low.1"])).toMatchObject({
      code: "preemption-rate",
      rule: "PE5",
    });
    contest.nowMs = 70_000;
    expect(codeOf(contest.preempt("high", ["low.1"]))).toBe("committed");
  });

  test("counts what an earlier leadership did as of the beginning of this one [PE5]", () => {
    const contest = aContest();
    contest.ledger.preempted.restore(full(10_000));
    contest.nowMs = 200_000;
    contest.lead(2);
    contest.nowMs = 259_999;
    expect(codeOf(contest.preempt("high", ["low.1"]))).toBe("preemption-rate");
    contest.nowMs = 260_000;
    expect(codeOf(contest.preempt("high", ["low.1"]))).toBe("committed");
  });
});

test("room is held no longer than its victims' grace and a minute [PE7]", () => {
  const contest = aContest({
    low: { run: { env: {}, workingDir: "", user: "", ports: [], stopGraceMs: 5_000 } },
  });
  for (const holdMs of [0, -1, 1.5, 5_001 + HOLD_SLACK_MS]) {
    expect(codeOf(contest.preempt("high", ["low.1"], { holdMs }))).toBe("bad-object");
  }
  const held = contest.preempt("high", ["low.1"], { holdMs: 5_000 + HOLD_SLACK_MS });
  expect(codeOf(held)).toBe("committed");
});

test.each([
  { title: "a value that is no whole number [OB5]", spec: { value: 1.5 } },
  { title: "a value beyond the range [OB5]", spec: { value: 1_000_000_001 } },
  { title: "a way to preempt that there is not [OB5]", spec: { value: 1, preempts: "some" } },
  { title: "a band that is no name [OB5]", spec: { value: 1, band: 7 } },
  { title: "neither yes nor no [OB5]", spec: { value: 1, preemptible: "yes" } },
])("a class with $title is refused", ({ spec }) => {
  const put = putting(priorityClassKey("odd"), {
    kind: "PriorityClass",
    spec: spec as unknown as PriorityClassSpec,
  });
  expect(codeOf(new Contest().send(put))).toBe("bad-object");
});
