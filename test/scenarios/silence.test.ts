/** Nodes and leaders that are not heard of, or that do not know that they are not. */
import { describe, expect, it } from "vitest";
import { power, tell } from "./tell.ts";
import type { Told } from "./told.ts";

function nothingIsDestroyed(told: Told): void {
  expect(told.committed(/\/fenced$/)).toEqual([]);
  expect(told.committed(/^(release|evict)\//)).toEqual([]);
  expect(told.bindings()).toHaveLength(4);
  expect(told.lines("agent:central-a-1", /^process of .* ended/)).toEqual([]);
}

describe("the correlated silence of a region", () => {
  const scenario = "correlated-silence-of-a-region";
  const central = ["central-a-1", "central-a-2", "central-b-1", "central-b-2"];

  it("scenario: a whole region is silent for a minute: none of its nodes is fenced, nothing is lost [EV4] [LS4]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    nothingIsDestroyed(told);
    for (const node of central) {
      const held = told.waits("node-health", `Node//${node}`, "correlated-silence");
      // For as long as the silence lasts after the time a single node would have been given.
      expect(held[0]?.atMs).toBeLessThan(31_000);
      expect(held.at(-1)?.atMs).toBeGreaterThan(65_000);
      expect(told.healthOf(node)).toEqual(["unknown", "ready", "suspect", "unknown", "ready"]);
    }
    expect(told.replicasAtEnd().map((one) => one.replace(/\S+$/, ""))).toEqual(
      [0, 1, 2, 3].map((index) => `ledger.1.${index} incarnation 1 serving on `),
    );
  });

  it("power: silence that is taken for death fences the region", async () => {
    const defect = "correlated-silence-ignored";
    expect(await power({ defect, scenario, prove: nothingIsDestroyed })).toEqual({
      withoutFaults: "clean",
      withFaults: expect.stringMatching(/^INV13: /),
    });
  });
});

function beginsAnew(told: Told): void {
  const killedMs = told.timeOf(
    "agent:edge",
    /^process of .*shop.* incarnation 1 ended with code 137$/,
  );
  const fencedMs = told.timeOf("plane-1", /^health\/edge\/.*\/fenced .* committed/);
  const nextMs = told.timeOf("agent:core", /^process of .*shop.* incarnation 2 started$/);
  expect([killedMs < fencedMs, fencedMs < nextMs]).toEqual([true, true]);
  const edge = told.atEnd().get("Node//edge");
  expect(edge?.kind === "Node" && edge.status.session).toBe(2);
}

describe("an agent that reconnects after its node was fenced", () => {
  const scenario = "reconnecting-agent-after-fencing";

  it("scenario: fenced, replaced, then back with an old session: old incarnations are ended, kept work goes on [LS2] [AG2] [AG5] [EV5]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    beginsAnew(told);
    const turnedAway = /^lease\/edge\/1\..* refused: node-fenced \[LS2\]/;
    expect(told.lines("plane-1", turnedAway)).toHaveLength(1);
    // What it has to say about its old session is not heard.
    const report = /^report\/.* from agent:edge refused: (node-fenced|session-ended)/;
    expect(told.lines("plane-1", report).length).toBeGreaterThan(0);
    expect(told.committed(/^release\/Replica\/web\/recorder/)).toEqual([]);
    expect(told.lines("agent:edge", /^process of .*recorder/)).toHaveLength(1);
    expect(told.replicasAtEnd()).toEqual([
      "recorder.1.0 incarnation 1 serving on edge",
      "shop.1.0 incarnation 2 serving on core",
    ]);
  });

  it("power: a process without a leash outlives its release", async () => {
    const defect = "no-leash";
    expect(await power({ defect, scenario, prove: beginsAnew })).toEqual({
      withoutFaults: "clean",
      withFaults: expect.stringMatching(/^INV8: /),
    });
  });

  it("power: a fenced session that may go on is never ended", async () => {
    const defect = "fenced-session-renewed";
    expect(await power({ defect, scenario, prove: beginsAnew })).toEqual({
      withoutFaults: "clean",
      withFaults: expect.stringMatching(/^INV6: /),
    });
  });
});

describe("incident 18: two leaders act", () => {
  const scenario = "incident-18-two-leaders-act";
  const scale = /^user\/7\/put\/Workload\/web\/shop/;

  function onlyOneLeads(told: Told): void {
    expect(told.committed(scale).map(({ epoch }) => epoch)).toEqual([2]);
    const firstOfSecond = told.commits.findIndex(({ epoch }) => epoch === 2);
    expect(told.commits.slice(firstOfSecond).every(({ epoch }) => epoch === 2)).toBe(true);
  }

  it("scenario: a deposed leader takes a command beside its successor: it answers nothing, the successor commits it [EP1] [EP3] [EP4]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    onlyOneLeads(told);
    const claimedMs = told.timeOf("plane-2", /^claimed the log under epoch 2/);
    const sentMs = told.timeOf("user", /^user\/7\/.*\(attempt 1\) sent to plane-1/);
    const resignedMs = told.timeOf("plane-1", /^resigned: another holds the log/);
    expect([claimedMs < sentMs, sentMs < resignedMs]).toEqual([true, true]);
    expect(told.lines("plane-1", scale)).toEqual([]);
    // Others who decided under the old leadership are told of the new one, and decide again.
    const stale = told.lines("plane-2", / conflict: stale-epoch \[EP1\], epoch is 1, expected 2/);
    expect(stale.length).toBeGreaterThan(0);
    expect(told.bindings()).toEqual([
      "shop.1.0 incarnation 1 on node-1",
      "shop.1.1 incarnation 1 on node-1",
    ]);
  });

  it("power: a deposed leader that answers for a fenced append promises what is not there", async () => {
    const defect = "fenced-append-acknowledged";
    expect(await power({ defect, scenario, prove: onlyOneLeads })).toEqual({
      withoutFaults: "clean",
      withFaults: expect.stringMatching(/^INV11: /),
    });
  });
});

function nobodyIsEvicted(told: Told): void {
  expect(told.committed(/\/fenced$/)).toEqual([]);
  expect(told.committed(/^(release|evict)\//)).toEqual([]);
  expect(told.replicasAtEnd().map((one) => one.replace(/ on .*/, ""))).toEqual(
    [0, 1, 2, 3].map((index) => `database.1.${index} incarnation 1 serving`),
  );
}

describe("incident 19: the master loses the network", () => {
  const scenario = "incident-19-master-loses-the-network";

  it("scenario: the plane is partitioned from all components for 40 s: no node is fenced and no replica evicted when it is back [EV4]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    nobodyIsEvicted(told);
    // Somebody was close: silent for long enough, and held back for the company it was in.
    const held = told.lines("node-health", /waits \(correlated-silence\)/);
    expect(held.filter(({ atMs }) => atMs > 52_000).length).toBeGreaterThan(0);
  });

  it("power: silence that is taken for death fences what the plane could not see", async () => {
    const defect = "correlated-silence-ignored";
    expect(await power({ defect, scenario, prove: nobodyIsEvicted })).toEqual({
      withoutFaults: "clean",
      withFaults: expect.stringMatching(/^INV13: /),
    });
  });
});
