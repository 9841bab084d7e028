/** Components that act on what was true once: they may propose it, and it must not become true again. */
import { describe, expect, it } from "vitest";
import { power, tell } from "./tell.ts";
import type { Told } from "./told.ts";

function drainWins(told: Told): void {
  expect(told.bindings()).toEqual(["job-17.1.0 incarnation 1 on node-b"]);
}

describe("a drain races a bind", () => {
  const scenario = "drain-races-bind";

  it("scenario: node chosen on a list from before its drain: bind refused, other node taken at once [BD3] [RN4]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    drainWins(told);
    const drainMs = told.timeOf("plane-1", /^user\/9\/put\/Node\/\/node-a .* committed/);
    const chosenMs = told.timeOf("place-1", /proposes bind\/.*: node-a scores highest/);
    const refusedMs = told.timeOf("plane-1", /^bind\/.* conflict: node-not-schedulable \[BD3\]/);
    const placedMs = told.timeOf("plane-1", /^bind\/.* committed/);
    expect(drainMs).toBeLessThan(chosenMs);
    expect(chosenMs).toBeLessThan(refusedMs);
    // The refusal says more than the view, which is still as old as before.
    expect(told.lines("place-1", /proposes bind\/.* on view revision 14: node-b/)).toHaveLength(1);
    expect(placedMs - refusedMs).toBeLessThan(200);
    expect(told.replicasAtEnd()).toEqual(["job-17.1.0 incarnation 1 serving on node-b"]);
  });

  it("power: an authority that takes the scheduler's word binds to the draining node", async () => {
    const defect = "bind-without-capacity";
    expect(await power({ defect, scenario, prove: drainWins })).toEqual({
      withoutFaults: "clean",
      withFaults: expect.stringMatching(/^INV7: .*which is draining/),
    });
  });
});

function startedOncePerIncarnation(told: Told): void {
  expect(told.lines("agent:left", /^process of .* started$/).map(({ text }) => text)).toEqual([
    "process of Replica/web/shop.1.0 incarnation 1 started",
  ]);
  expect(told.lines("agent:right", /^process of .* started$/)).toHaveLength(1);
}

describe("incident 1: a stale list starts a replica twice", () => {
  const scenario = "incident-01-stale-list-starts-twice";

  it("scenario: agent restarts on a list from before its replica moved: nothing is started [AG1] [ST3]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    startedOncePerIncarnation(told);
    const shownMs = told.timeOf("agent:left", /was given a list of 1 objects as of revision 14/);
    const refused = told.lines("plane-1", /^report\/.*\/1\/failed@.* conflict: wrong-incarnation/);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]!.atMs).toBeGreaterThan(shownMs);
    expect(told.replicasAtEnd()).toEqual(["shop.1.0 incarnation 2 serving on right"]);
  });

  it("power: an agent that runs what its first list shows runs it twice", async () => {
    const defect = "view-says-it-runs-here";
    expect(await power({ defect, scenario, prove: startedOncePerIncarnation })).toEqual({
      withoutFaults: "clean",
      withFaults: expect.stringMatching(/^INV8: /),
    });
  });
});

describe("a restarted agent meets its old claim", () => {
  // No defect is kept for this one: the code itself had it.
  it("scenario: agent restarts, its claim is answered as its predecessor's, stale list shows it: nothing is started [AG1]", () => {
    const told = tell("restarted-agent-meets-its-old-claim");
    expect(told.surprises).toEqual([]);
    expect(told.lines("agent:left", /^process of .* started$/)).toHaveLength(1);
    expect(told.replicasAtEnd()).toEqual(["shop.1.0 incarnation 2 serving on right"]);
  });
});

function newReplicaIsLeftAlone(told: Told): void {
  expect(told.committed(/^evict\//)).toHaveLength(1);
  expect(told.committed(/^delete\/Replica\//)).toHaveLength(1);
  expect(told.made("Replica")).toEqual(["Replica/shop/orders.1.0", "Replica/shop/orders.1.0"]);
}

describe("incident 2: a controller goes back in time", () => {
  const scenario = "incident-02-controller-goes-back-in-time";

  it("scenario: admit is shown an index given up long ago, first with and then without memory: the new replica lives [VW2] [OP1]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    newReplicaIsLeftAlone(told);
    // With its memory it refuses the list; without it believes it, and proposes what was done long ago.
    expect(told.lines("admit", /was given a list of 3 objects as of revision 18/)).toHaveLength(2);
    const evict =
      /proposes evict\/Replica\/shop\/orders\.1\.0\/u10\.0\/1\/surplus on view revision 18/;
    expect(told.lines("admit", evict).map(({ atMs }) => atMs > 28_000)).toEqual([false, true]);
    expect(told.lines("plane-1", /^evict\/.* had already committed at revision 19/)).toHaveLength(
      1,
    );
    expect(told.replicasAtEnd()).toEqual(["orders.1.0 incarnation 1 serving on node-1"]);
  });

  it("power: a view that takes an older list goes back", async () => {
    const defect = "cache-goes-back";
    expect(await power({ defect, scenario, prove: newReplicaIsLeftAlone })).toEqual({
      withoutFaults: "clean",
      withFaults: expect.stringMatching(/^INV16: .* went back/),
    });
  });

  it("power: an authority that takes the sender's word evicts the new replica", async () => {
    const defect = "evict-takes-the-senders-word";
    expect(await power({ defect, scenario, prove: newReplicaIsLeftAlone })).toEqual({
      withoutFaults: "clean",
      withFaults: expect.stringMatching(/^INV1[02]: /),
    });
  });
});

function comparesStates(told: Told): void {
  expect(told.made("Replica")).toEqual(["Replica/shop/steady.1.0"]);
  const listedMs = told.timeOf("admit", /was given a list of 4 objects/);
  const goneMs = told.timeOf("plane-1", /^finalize\/Workload\/shop\/flash\/.* committed/);
  expect(goneMs - listedMs).toBeLessThan(100);
}

describe("incident 4: an unseen event", () => {
  const scenario = "incident-04-event-nobody-saw";

  it("scenario: made and unmade, changed and changed back while the watch loses both: let go, left alone [RN5] [OB3]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    comparesStates(told);
    expect(told.atEnd().has("Workload/shop/flash")).toBe(false);
    expect(told.replicasAtEnd()).toEqual(["steady.1.0 incarnation 1 serving on node-1"]);
  });

  it("power: a view that is never listed again does not learn of it", async () => {
    const defect = "never-lists-again";
    expect(await power({ defect, scenario, prove: comparesStates })).toEqual({
      withoutFaults: "clean",
      withFaults: expect.stringMatching(/^(LIV4|INV16): /),
    });
  });
});

function listFindsIt(told: Told): void {
  const listedMs = told.timeOf("place-1", /was given a list of 7 objects/);
  const boundMs = told.timeOf("plane-1", /^bind\/Replica\/shop\/cart.* committed/);
  expect(boundMs - listedMs).toBeLessThan(100);
}

describe("incident 5: a watch that never delivers", () => {
  const scenario = "incident-05-watch-never-delivers";

  it("scenario: the scheduler's watch silently loses one replica: the next list finds it [RN5]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    listFindsIt(told);
    // The stream itself is fine: what came later was placed long before.
    const laterMs = told.timeOf("plane-1", /^bind\/Replica\/shop\/later.* committed/);
    expect(laterMs).toBeLessThan(11_000);
    expect(told.bindings()).toEqual([
      "later.1.0 incarnation 1 on node-1",
      "cart.1.0 incarnation 1 on node-1",
    ]);
  });

  it("power: a view that is never listed again leaves it pending", async () => {
    const defect = "never-lists-again";
    expect(await power({ defect, scenario, prove: listFindsIt })).toEqual({
      withoutFaults: "clean",
      withFaults: expect.stringMatching(/^(LIV1|INV16): /),
    });
  });
});
