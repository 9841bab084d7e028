/** Public incidents of other schedulers, about preemption, gangs, quota and plans: what went wrong there does not here. */
import { describe, expect, it } from "vitest";
import { power, tell } from "./tell.ts";
import type { Told } from "./told.ts";

/** How many replicas all preemptions of a run have asked to leave. */
const victims = (told: Told): number =>
  told
    .committed(/^preempt\//)
    .flatMap(({ changes }) => changes)
    .filter(
      ({ before, after }) =>
        before?.kind === "Replica" &&
        after?.kind === "Replica" &&
        before.status.stopping === undefined &&
        after.status.stopping !== undefined,
    ).length;

const bindingsOf = (told: Told, name: string): readonly string[] =>
  told.bindings().filter((text) => text.startsWith(name));

function oneEviction(told: Told): void {
  expect(victims(told)).toBe(1);
  expect(bindingsOf(told, "checkout")).toEqual(["checkout.1.0 incarnation 1 on node-1"]);
  // Three were there, and nobody came after them: the hole was not theirs to fill.
  expect(bindingsOf(told, "night")).toHaveLength(3);
}

describe("incident 11: the other scheduler refills the hole", () => {
  const scenario = "incident-11-the-other-scheduler-refills-the-hole";

  it("scenario: a scheduler that has not heard of the promise tries to fill the hole: refused, one victim in all [PE3] [PE6]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    oneEviction(told);
    const tried = /^bind\/Replica\/lab\/night.* from place-2 conflict: node-full \[BD4\]/;
    expect(told.lines("plane-1", tried).length).toBeGreaterThan(0);
  });

  it("power: room that is reserved for no particular replica is filled again", async () => {
    const defect = "held-room-for-anybody";
    expect(await power({ defect, scenario, prove: oneEviction })).toEqual({
      withoutFaults: "clean",
      withFaults: expect.stringMatching(/^INV40: /),
    });
  });
});

function promiseIsKept(told: Told): void {
  expect(victims(told)).toBe(1);
  expect(bindingsOf(told, "checkout")).toEqual(["checkout.1.0 incarnation 1 on node-1"]);
  expect(bindingsOf(told, "small")).toEqual([]);
}

describe("incident 12: the nomination race", () => {
  const scenario = "incident-12-nomination-race";

  it("scenario: a bind is decided before room is promised and arrives after it: the promise holds [PE6] [PE7]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    promiseIsKept(told);
    const decidedMs = told.lines("place-1", /proposes bind\/.*small.*: node-1/)[0]!.atMs;
    const promisedMs = told.timeOf("plane-1", /^preempt\/.*checkout.* committed/);
    const refusedMs = told.timeOf("plane-1", /^bind\/.*small.*\(attempt 1\).* conflict: node-full/);
    expect([decidedMs < promisedMs, promisedMs < refusedMs]).toEqual([true, true]);
    expect(told.waits("place-1", "Workload/lab/small", "no-feasible-node")).not.toEqual([]);
  });

  it("power: room that is reserved for no particular replica goes to the bind that was under way", async () => {
    const defect = "held-room-for-anybody";
    const { withFaults } = await power({ defect, scenario, prove: promiseIsKept });
    expect(withFaults).toMatch(/^INV40: Replica\/lab\/small\.1\.0 was bound to node-1/);
  });
});

function askedOnce(told: Told): void {
  expect(told.committed(/^preempt\//)).toHaveLength(1);
  expect(victims(told)).toBe(2);
  expect(bindingsOf(told, "checkout")).toEqual(["checkout.1.0 incarnation 1 on node-1"]);
}

describe("incident 13: preempts again and again", () => {
  const scenario = "incident-13-preempts-again-and-again";

  it("scenario: victims slow to go, wake-ups, and a proposer that has forgotten: no other replica is asked to leave [OP1] [PE3]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    askedOnce(told);
    // It did ask again, on what was true before, and met what it had done.
    const again = /^preempt\/.*checkout.* from preempt had already committed at revision/;
    expect(told.lines("plane-1", again)).toHaveLength(1);
    // The wake-ups found it waiting for those who are still there.
    const held = told.waits("place-1", "Workload/shop/checkout", "room-held");
    expect(held.filter(({ atMs }) => atMs > 17_000).length).toBeGreaterThan(0);
  });

  it("power: room that counts as held for too long at once is asked for again", async () => {
    const defect = "held-room-taken-back-early";
    const { withFaults } = await power({ defect, scenario, prove: askedOnce });
    expect(withFaults).toMatch(/^(INV40|INV43): /);
  });
});

function gangIsWholeAgain(told: Told): void {
  const order = told.bindings().map((text) => text.split(" on ")[0]);
  expect(order).toContain("train.1.1 incarnation 2");
  // Those who came after a node was kept for it do not go before it.
  const before = order.slice(0, order.indexOf("train.1.1 incarnation 2"));
  expect(before.filter((text) => /^job-[e-h]/.test(text!))).toEqual([]);
  expect(told.replicasAtEnd().filter((text) => text.startsWith("train"))).toEqual([
    "train.1.0 incarnation 1 serving on node-1",
    "train.1.1 incarnation 2 serving on node-2",
    "train.1.2 incarnation 1 serving on node-3",
  ]);
}

describe("incident 15: a gang is stranded after a repair", () => {
  const scenario = "incident-15-gang-stranded-after-a-repair";

  it("scenario: fresh jobs of a smaller share are first in line: a node is kept for the member that was lost [QU3] [GA1]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    gangIsWholeAgain(told);
    // The share did put the first jobs before it.
    expect(told.bindings().filter((text) => text.startsWith("job-"))).toHaveLength(4);
    expect(told.waits("place-1", "Workload/fresh/job-e", "room-kept")).not.toEqual([]);
  });

  it("power: a kept node that is given away leaves the gang behind every job that comes", async () => {
    const defect = "kept-node-given-away";
    const { withFaults } = await power({ defect, scenario, prove: gangIsWholeAgain });
    expect(withFaults).toMatch(/^(LIV7: |not proved)/);
  });
});

function neverMoreThanFour(told: Told): void {
  const holding = new Set<string>();
  let most = 0;
  for (const { key, after } of told.commits.flatMap(({ changes }) => changes)) {
    if (!key.startsWith("Replica/")) continue;
    const isHolding =
      after?.kind === "Replica" &&
      (after.status.node !== undefined || after.status.stage === "queued");
    if (isHolding) holding.add(key);
    else holding.delete(key);
    most = Math.max(most, holding.size);
  }
  expect(most).toBe(4);
}

describe("incident 16: quota is under-counted", () => {
  const scenario = "incident-16-quota-under-count";

  it("scenario: jobs, admitter and leader restart: the count equals the running replicas, and none is admitted beyond it [QT1] [QT2] [RS2]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    neverMoreThanFour(told);
    const waits = told.waits("admit", "Workload/lab/score", "quota-exhausted");
    // Also after the leader and, twice, the admitter had begun anew.
    expect(waits.filter(({ atMs }) => atMs > 17_000).length).toBeGreaterThan(0);
    expect(told.replicasAtEnd()).toEqual([
      "score.1.0 incarnation 1 succeeded",
      "score.1.1 incarnation 1 succeeded",
      "score.1.2 incarnation 1 succeeded",
      "train.1.0 incarnation 2 succeeded",
      "train.1.1 incarnation 2 succeeded",
      "train.1.2 incarnation 1 succeeded",
    ]);
  });

  it("power: quota that a restart gives back twice lets too many in", async () => {
    const defect = "quota-released-twice";
    const { withFaults } = await power({ defect, scenario, prove: neverMoreThanFour });
    expect(withFaults).toMatch(/^(INV4|INV0): /);
  });

  it("power: work in the queue that holds no quota is not counted", async () => {
    const defect = "queued-holds-no-quota";
    const { withFaults } = await power({ defect, scenario, prove: neverMoreThanFour });
    expect(withFaults).toMatch(/^(INV4|INV0): /);
  });
});

describe("incident 17: a plan is newer than the leader", () => {
  const scenario = "incident-17-plan-newer-than-the-leader";

  it("scenario: a plan of the new leadership reaches the old leader: not checked there, committed by the new one [EP2]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    const bind = /^bind\/Replica\/web\/shop\.1\.1\//;
    const notTaken = told.lines("plane-1", bind);
    expect(notTaken.map(({ text }) => text.replace(/^.* from /, ""))).toEqual([
      "place-1 was not taken: this plane does not lead",
    ]);
    // The old leader had not noticed that it was one: nothing but the plan told it.
    expect(told.lines("plane-1", /^resigned/)).toEqual([]);
    expect(told.committed(bind).map(({ epoch }) => epoch)).toEqual([2]);
    expect(told.replicasAtEnd()).toEqual([
      "shop.1.0 incarnation 1 serving on node-1",
      "shop.1.1 incarnation 1 serving on node-1",
    ]);
  });
});
