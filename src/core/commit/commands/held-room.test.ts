import { describe, expect, test } from "vitest";
import { aContest, type Contest } from "../../../../test/builders/a-contest.ts";
import { codeOf } from "../../../../test/builders/code-of.ts";
import { nodeKey } from "../../model/ids.ts";
import { restoreLedger, takeSnapshot } from "../snapshot.ts";

/** `high` has room held for it on a-1, and `low.1` is leaving. */
function aHold(): Contest {
  const contest = aContest();
  contest.preempt("high", ["low.1"]);
  return contest;
}

const release = (contest: Contest): string => {
  const { key, spec } = contest.room("high")!;
  const evidence = { kind: "hold-over", owner: spec.owner } as const;
  return codeOf(contest.send({ kind: "unreserve", key, incarnation: spec.incarnation, evidence }));
};

describe("held room", () => {
  test("goes to no other replica, also when the victims are gone [PE6]", () => {
    const contest = aHold();
    contest.contender("thief", { cpuMillis: 500, priorityClass: "high" });
    contest.enqueued("thief");
    expect(codeOf(contest.place("thief"))).toBe("node-full");
    contest.stopped("low", 1);
    expect(contest.place("thief")).toMatchObject({ code: "node-full", rule: "BD4" });
    expect(codeOf(contest.place("high"))).toBe("committed");
    expect(contest.room("high")).toBeUndefined();
  });

  test("leaves to others what is free beside it, now and later [PE6]", () => {
    const contest = aContest({ high: { cpuMillis: 400 } });
    contest.preempt("high", ["low.1"]);
    contest.contender("small", { cpuMillis: 100, priorityClass: "low" });
    contest.enqueued("small");
    expect(codeOf(contest.place("small"))).toBe("node-full");
    contest.stopped("low", 1);
    expect(codeOf(contest.place("small"))).toBe("committed");
    expect(codeOf(contest.place("high"))).toBe("committed");
  });

  test("is not free for its owner before the victims are gone [BD4]", () => {
    expect(codeOf(aHold().place("high"))).toBe("node-full");
  });

  test("lets two who wait on one node come as soon as the victims of each are gone [PE6]", () => {
    const contest = aContest();
    contest.contender("next", { cpuMillis: 500, priorityClass: "high" });
    contest.enqueued("next");
    contest.preempt("high", ["low.1"]);
    contest.preempt("next", ["low.0"]);
    contest.stopped("low", 1);
    expect(codeOf(contest.place("high"))).toBe("committed");
    expect(codeOf(contest.place("next"))).toBe("node-full");
    contest.stopped("low", 0);
    expect(codeOf(contest.place("next"))).toBe("committed");
  });

  test("counts once for several who are bound together [PE6]", () => {
    const contest = aContest();
    contest.contender("next", { cpuMillis: 500, priorityClass: "high" });
    contest.enqueued("next");
    contest.preempt("high", ["low.1"]);
    contest.preempt("next", ["low.0"]);
    contest.stopped("low", 0);
    contest.stopped("low", 1);
    const bindings = ["high", "next"].map((name) => ({
      replica: contest.index(name)!.key,
      incarnation: 1,
      node: "a-1",
      deviceIds: [],
    }));
    expect(codeOf(contest.send({ kind: "bind-all", bindings }))).toBe("committed");
    expect(contest.ledger.objects.useOf("a-1").held.size).toBe(0);
  });
});

test("room on one node is others' once its owner is bound to another in the same command [PE7] [MN2]", () => {
  const contest = aHold();
  contest.joined("b-1");
  contest.contender("next", { cpuMillis: 500, priorityClass: "high" });
  contest.enqueued("next");
  contest.stopped("low", 1);
  const binding = (name: string, node: string) => ({
    replica: contest.index(name)!.key,
    incarnation: 1,
    node,
    deviceIds: [],
  });
  const [elsewhere, there] = [binding("high", "b-1"), binding("next", "a-1")];
  const early = contest.send({ kind: "bind-all", bindings: [there, elsewhere] });
  expect(codeOf(early)).toBe("node-full");
  const late = contest.send({ kind: "bind-all", bindings: [elsewhere, there] });
  expect(codeOf(late)).toBe("committed");
});

describe("held room ends", () => {
  test("when its owner is bound, wherever [PE7]", () => {
    const contest = aHold();
    contest.joined("b-1");
    expect(codeOf(contest.place("high", 0, { node: "b-1" }))).toBe("committed");
    expect(contest.room("high")).toBeUndefined();
  });

  test("with the incarnation it was made for [PE7]", () => {
    const contest = aHold();
    const { spec } = contest.room("high")!;
    contest.contender("high", { cpuMillis: 500, replicas: 0 });
    const evidence = { kind: "surplus", workload: "Workload/payments/high" as never } as const;
    contest.must({ kind: "evict", replica: spec.owner, incarnation: 1, evidence });
    expect(contest.room("high")).toBeUndefined();
    expect(contest.ledger.objects.useOf("a-1").held.size).toBe(0);
  });

  test("with the node, and with its fencing [PE7]", () => {
    const contest = aHold();
    contest.vouchedGone();
    expect(contest.room("high")).toBeUndefined();
    const other = aHold();
    for (const index of [0, 1]) {
      if (index === 0) {
        const { key, status } = other.index("low", 0)!;
        const { incarnation, node, session } = status;
        other.must({
          kind: "report",
          replica: key,
          incarnation,
          node: node!,
          session,
          stage: "failed",
        });
      } else other.stopped("low", index);
    }
    other.must({ kind: "delete", key: nodeKey("a-1"), expect: {} });
    expect(other.room("high")).toBeUndefined();
  });

  test("when it was held as long as was said, and not before [PE7]", () => {
    const contest = aHold();
    contest.nowMs = 59_999;
    expect(release(contest)).toBe("hold-not-over");
    contest.nowMs = 60_000;
    expect(release(contest)).toBe("committed");
  });

  test("later under a new leadership, whose clock says nothing of when it began [PE7]", () => {
    const contest = aHold();
    contest.nowMs = 100_000;
    contest.lead(2);
    expect(release(contest)).toBe("hold-not-over");
    contest.nowMs = 160_000;
    expect(release(contest)).toBe("committed");
  });
});

test("a victim keeps its node until its agent has stopped it, and has not failed [PE8]", () => {
  const contest = aHold();
  expect(contest.index("low", 1)!.status).toMatchObject({ stage: "serving", node: "a-1" });
  contest.stopped("low", 1);
  expect(contest.index("low", 1)!.status).toMatchObject({ stage: "released", failures: 0 });
  expect(contest.enqueued("low", 1).status).toMatchObject({
    stage: "queued",
    incarnation: 2,
    failures: 0,
  });
});

test("what was preempted lately and what is held are in a snapshot, too [PE5] [LG7]", () => {
  const contest = aHold();
  const restored = restoreLedger(structuredClone(takeSnapshot(contest.ledger)));
  expect(restored.preempted.within(contest.nowMs)).toBe(1);
  expect([...restored.objects.useOf("a-1").held.keys()]).toEqual([contest.room("high")!.key]);
});
