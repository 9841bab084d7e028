/** Planes that share one log: who leads, who only believes so, and who stands by. */
import { describe, expect, it } from "vitest";
import { power, tell } from "./tell.ts";
import type { Told } from "./told.ts";

const PLANES = ["plane-1", "plane-2", "plane-3"];

/** Who led from which time on, in order. */
const reigns = (told: Told): readonly string[] =>
  PLANES.flatMap((plane) =>
    told.lines(plane, /^leads under epoch/).map(({ atMs, text }) => ({
      atMs,
      text: `${plane} ${/epoch \d+/.exec(text)?.[0]}`,
    })),
  )
    .toSorted((a, b) => a.atMs - b.atMs)
    .map(({ text }) => text);

/** Every commit of an epoch comes before the first of the next, and each operation is there once. */
function isOneHistory(told: Told): void {
  const epochs = told.commits.map(({ epoch }) => epoch);
  expect(epochs).toEqual(epochs.toSorted((a, b) => a - b));
  const operations = told.commits.map(({ operation }) => operation);
  expect(new Set(operations).size).toBe(operations.length);
}

function staysSilent(told: Told): void {
  isOneHistory(told);
  const goesOnMs = told.timeOf("plane-2", /^goes on after its pause$/);
  // Whoever waits for an answer gets it from the successor, which knows what was committed before.
  expect(told.committed(/^user\/7\//).map(({ epoch }) => epoch)).toEqual([1]);
  const again = told.lines("plane-1", /^user\/7\/.* had already committed/);
  expect(again[0]?.atMs).toBeLessThan(goesOnMs);
  // What it was asked before it stood still and while it did, it does not check.
  const asked = told.lines("plane-2", /^(user\/7|lease|health)\//);
  const checked = asked.filter(
    ({ atMs, text }) => atMs === goesOnMs && !text.endsWith("does not lead"),
  );
  expect(checked).toEqual([]);
}

describe("a paused leader", () => {
  const scenario = "paused-leader";

  it("scenario: goes on after another has led for a while: it answers and appends nothing, and follows [EP6] [EP7]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    expect(reigns(told)).toEqual(["plane-2 epoch 1", "plane-1 epoch 2"]);
    staysSilent(told);
    const lapsedMs = told.timeOf("plane-2", /^does not rely on its lease any more$/);
    expect(lapsedMs).toBe(told.timeOf("plane-2", /^goes on after its pause$/));
  });

  it("power: one that does not hear that its lease has lapsed answers beside its successor", async () => {
    const defect = "lapsed-lease-goes-unheard";
    expect(await power({ defect, scenario, prove: staysSilent })).toEqual({
      withoutFaults: "clean",
      withFaults: expect.stringMatching(/^INV12[12]: /),
    });
  });
});

function itsWriteIsMadeOnce(told: Told): void {
  isOneHistory(told);
  expect(told.committed(/^user\/7\//).map(({ epoch }) => epoch)).toEqual([2]);
  const fencedMs = told.timeOf("plane-2", /^append 22 did not land: it was fenced$/);
  expect(fencedMs).toBeGreaterThan(told.timeOf("plane-1", /^leads under epoch 2/));
}

describe("a leader that is cut off with an append on its way", () => {
  const scenario = "cut-off-leader-with-a-late-append";

  it("scenario: the append arrives after another leads, and is not let in; its sender's write is made by the successor [EP3] [EP5] [EP7]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    itsWriteIsMadeOnce(told);
    expect(reigns(told)).toEqual(["plane-2 epoch 1", "plane-1 epoch 2"]);
  });

  it("power: one that takes an unknown outcome for a good one promises what is never there", async () => {
    const defect = "unknown-append-acknowledged";
    expect(await power({ defect, scenario, prove: itsWriteIsMadeOnce })).toEqual({
      withoutFaults: "clean",
      withFaults: expect.stringMatching(/^INV(11|125): /),
    });
  });
});

describe("the late answer of an earlier leadership", () => {
  const scenario = "late-answer-of-an-earlier-leadership";

  it("scenario: comes while the next append is under way, and counts for nothing [EP9]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    isOneHistory(told);
    expect(reigns(told)).toEqual(["plane-1 epoch 1", "plane-1 epoch 2"]);
  });

  it("power: taken for that of the present one, it shows what is not durable", async () => {
    const defect = "answer-of-an-earlier-leadership";
    expect(await power({ defect, scenario, prove: isOneHistory })).toEqual({
      withoutFaults: "clean",
      withFaults: expect.stringMatching(/^INV125: /),
    });
  });
});

function leadsFromASnapshot(told: Told): void {
  isOneHistory(told);
  const begunMs = told.timeOf("plane-1", /^begins with a snapshot of revision/);
  expect(begunMs).toBeLessThan(told.timeOf("plane-1", /^leads under epoch 2/));
  expect(told.committed(/^user\/8\//)).toHaveLength(1);
  expect(told.replicasAtEnd()).toHaveLength(3);
}

describe("a standby behind a dropped log", () => {
  const scenario = "standby-behind-a-dropped-log";

  it("scenario: begins again with a snapshot, and leads when the leader dies [EP6] [EP8]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    leadsFromASnapshot(told);
  });

  it("power: one that passes over the gap knows less than it leads", async () => {
    const defect = "snapshot-of-a-dropped-log-passed-over";
    expect(await power({ defect, scenario, prove: leadsFromASnapshot })).toEqual({
      withoutFaults: "clean",
      withFaults: expect.stringMatching(/^INV/),
    });
  });
});

describe("two failovers in a row", () => {
  it("scenario: the third plane goes on from what both before it have made durable [EP8]", () => {
    const told = tell("two-failovers-in-a-row");
    expect(told.surprises).toEqual([]);
    isOneHistory(told);
    expect(reigns(told)).toEqual(["plane-2 epoch 1", "plane-1 epoch 2", "plane-3 epoch 3"]);
    // Written under the first, asked for again under the third.
    expect(told.committed(/^user\/[78]\//).map(({ epoch }) => epoch)).toEqual([1, 3]);
    expect(told.replicasAtEnd()).toHaveLength(3);
  });
});

describe("a rolling restart of three planes", () => {
  it("scenario: nothing that was acknowledged is lost, and no plane waits for a lease to end [EP8] [EP10]", () => {
    const told = tell("rolling-restart-of-three-planes");
    expect(told.surprises).toEqual([]);
    isOneHistory(told);
    expect(reigns(told)).toEqual(["plane-2 epoch 1", "plane-3 epoch 2", "plane-1 epoch 3"]);
    const stops = ["plane-2", "plane-3"].map((plane) => told.timeOf(plane, /^stops; back in/));
    const leads = [2, 3].map((epoch) =>
      told.timeOf(epoch === 2 ? "plane-3" : "plane-1", new RegExp(`^leads under epoch ${epoch}`)),
    );
    leads.forEach((atMs, at) => expect(atMs - (stops[at] ?? 0)).toBeLessThan(100));
    const written = PLANES.flatMap((plane) =>
      told.lines(plane, /^user\/([7-9]|1\d)\/.* committed at revision/),
    );
    expect(written).toHaveLength(8);
    expect(told.committed(/^user\/([7-9]|1\d)\//)).toHaveLength(8);
  });
});

describe("a list from a leader that is cut off", () => {
  const scenario = "list-from-a-leader-that-is-cut-off";

  it("scenario: waits until the leader knows what became of the batch that a standby has shown already [EP10]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    const listed = told.lines("roll-out", /^was given a list/).filter(({ atMs }) => atMs > 11_347);
    // When the leader can reach the store again.
    expect(listed[0]?.atMs).toBeGreaterThan(13_347);
  });

  it("power: one that lists beside its append shows less than was shown", async () => {
    const defect = "leader-lists-beside-its-append";
    expect(await power({ defect, scenario, prove: isOneHistory })).toEqual({
      withoutFaults: "clean",
      withFaults: expect.stringMatching(/^INV122: /),
    });
  });
});
