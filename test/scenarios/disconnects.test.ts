/** Nodes that are cut off and come back: who is replaced, who stays, and which of them are trusted with new work. */
import { describe, expect, it } from "vitest";
import type { Node } from "../../src/core/model/objects.ts";
import { power, tell } from "./tell.ts";
import type { Told } from "./told.ts";

const nodeAtEnd = (told: Told, name: string): Node => told.atEnd().get(`Node//${name}`) as Node;

function asEachSays(told: Told): void {
  expect(told.replicasAtEnd()).toEqual([
    "cache.1.0 incarnation 2 serving on edge",
    "camera.1.0 incarnation 1 serving on edge",
    "gateway.1.0.r incarnation 2 serving on core",
    "recorder.1.0 incarnation 1 serving on edge",
  ]);
}

function heldForAMinute(told: Told): void {
  expect(told.bindings()).toEqual([
    "first.1.0 incarnation 1 on shaky",
    "second.1.0 incarnation 1 on steady",
    "third.1.0 incarnation 1 on shaky",
  ]);
}

function notTrusted(told: Told): void {
  const second = told.bindings().filter((one) => one.startsWith("second"));
  expect(second).toEqual(["second.1.0 incarnation 1 on right"]);
}

function fencedLate(told: Told): void {
  const last = told.lines("plane-1", /^lease\/slow\/1\..* committed/).at(-1)?.atMs ?? 0;
  const fencedMs = told.timeOf("plane-1", /^health\/slow\/.*\/fenced .* committed/);
  expect(fencedMs - last).toBeGreaterThanOrEqual(120_000);
}

function nothingMoves(told: Told): void {
  expect(told.committed(/\/fenced$/)).toEqual([]);
  expect(told.bindings()).toHaveLength(3);
}

describe("a kept replica that is replaced and comes back", () => {
  const scenario = "kept-replica-is-replaced-and-comes-back";

  it("scenario: cut off for 90 s: replaced after 30 s of silence, and one of the two stays when they meet [DC1] [DC2] [DC3] [DC5] [INV70]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    asEachSays(told);
    const silentMs = told.timeOf("plane-1", /^lease\/edge\/1\.5 .* committed/);
    for (const name of ["camera", "gateway"]) {
      const replacedMs = told.timeOf("plane-1", new RegExp(`^replace/.*${name}.* committed`));
      expect(replacedMs - silentMs).toBeGreaterThanOrEqual(30_000);
      expect(replacedMs - silentMs).toBeLessThan(33_000);
    }
    // On purpose, for a minute: the original runs at the edge and its replacement in the core.
    const begunMs = told.timeOf("agent:core", /^process of .*camera.1.0.r incarnation 2 started/);
    const endedMs = told.timeOf("agent:core", /^process of .*camera.1.0.r incarnation 2 ended/);
    expect(endedMs - begunMs).toBeGreaterThan(55_000);
    expect(told.lines("agent:edge", /^process of .*camera.1.0 incarnation 1 ended/)).toEqual([]);
    expect(told.lines("agent:edge", /^process of .*recorder/)).toHaveLength(1);
    expect(told.bindings().filter((one) => one.startsWith("cache"))).toEqual([
      "cache.1.0 incarnation 1 on edge",
    ]);
  });

  it("power: an index that is given away too soon is one too many", async () => {
    const defect = "index-given-away-too-soon";
    expect(await power({ defect, scenario, prove: asEachSays })).toEqual({
      withoutFaults: "clean",
      withFaults: expect.stringMatching(/^INV70: /),
    });
  });

  it("power: a replaced replica that counts as gone runs beside what took its room", async () => {
    const defect = "replaced-one-counts-as-gone";
    expect(await power({ defect, scenario, prove: asEachSays })).toEqual({
      withoutFaults: "clean",
      withFaults: expect.stringMatching(/^INV(8|12|6): /),
    });
  });

  it("power: two that both stand for an index are seen", async () => {
    const defect = "both-stand-for-the-index";
    expect(await power({ defect, scenario, prove: asEachSays })).toEqual({
      withoutFaults: "clean",
      withFaults: expect.stringMatching(/^INV70: /),
    });
  });
});

describe("a node that comes and goes", () => {
  const scenario = "node-that-comes-and-goes";

  it("scenario: four short cuts: new work goes elsewhere for a minute, what runs there stays [FL1] [FL2] [INV71]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    heldForAMinute(told);
    const health = told.healthOf("shaky").slice(1);
    expect(health).toEqual(
      Array.from({ length: 4 }, () => ["ready", "suspect"])
        .flat()
        .concat("ready"),
    );
    const held = told.commits
      .flatMap(({ changes }) => changes)
      .flatMap(({ after }) =>
        after?.kind === "Node" && after.status.damped !== undefined ? [after.status.damped] : [],
      );
    expect(held.map(({ untilMs, sinceMs, times }) => [untilMs - sinceMs, times])).toEqual([
      [60_000, 4],
    ]);
    expect(nodeAtEnd(told, "shaky").status.damped).toBeUndefined();
  });

  it("power: a hold that the authority does not check is seen at the first bind", async () => {
    const defect = "flapping-node-takes-work";
    expect(await power({ defect, scenario, prove: heldForAMinute })).toEqual({
      withoutFaults: "clean",
      withFaults: expect.stringMatching(/^INV7: /),
    });
  });

  it("power: a hold that ends early is seen", async () => {
    const defect = "hold-on-a-flapping-node-ends-early";
    expect(await power({ defect, scenario, prove: heldForAMinute })).toEqual({
      withoutFaults: "clean",
      withFaults: expect.stringMatching(/^INV71: /),
    });
  });
});

describe("a clock beyond the bound", () => {
  const scenario = "clock-beyond-the-bound";

  it("scenario: a clock at four fifths of its pace is noticed, kept from new work and given two minutes [CL2] [CL3] [INV72]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    fencedLate(told);
    const second = told.bindings().filter((one) => one.startsWith("second"));
    expect(second).toEqual(["second.1.0 incarnation 1 on right"]);
    const marks = told.commits.flatMap(({ changes, atMs }) =>
      changes.flatMap(({ before, after }) =>
        before?.kind === "Node" &&
        after?.kind === "Node" &&
        !before.status.clock &&
        after.status.clock
          ? [{ offBy: after.status.clock.offBy, atMs: atMs - (told.commits[0]?.atMs ?? 0) }]
          : [],
      ),
    );
    expect(marks).toHaveLength(1);
    expect(marks[0]?.offBy).toBeLessThan(-150);
    expect(marks[0]?.atMs).toBeLessThan(195_000);
    // Once it is right again it is seen to be.
    expect(nodeAtEnd(told, "slow").status.clock).toBeUndefined();
  });

  it("power: a slow clock that is fenced like a right one still has its processes", async () => {
    const defect = "wrong-clock-fenced-in-time";
    expect(await power({ defect, scenario, prove: fencedLate })).toEqual({
      withoutFaults: "clean",
      withFaults: expect.stringMatching(/^INV12: /),
    });
  });

  it("power: a clock that is not compared is missed", async () => {
    const defect = "wrong-clock-unseen";
    expect(await power({ defect, scenario, prove: notTrusted })).toEqual({
      withoutFaults: "clean",
      withFaults: expect.stringMatching(/^INV72: /),
    });
  });
});

describe("the silence of a zone", () => {
  const scenario = "silence-of-a-zone";

  it("scenario: three nodes of a zone are silent for 35 s while their region is heard: nothing is fenced [EV6]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    nothingMoves(told);
    for (const node of ["a-1", "a-2", "a-3"]) {
      const held = told.waits("node-health", `Node//${node}`, "correlated-silence");
      expect(held[0]?.because.summary).toMatch(/3 of 3 nodes of zone eu-a/);
    }
  });

  it("power: a zone's silence that is taken for death fences it", async () => {
    const defect = "zone-silence-ignored";
    expect(await power({ defect, scenario, prove: nothingMoves })).toEqual({
      withoutFaults: "clean",
      withFaults: expect.stringMatching(/^INV13: /),
    });
  });
});
