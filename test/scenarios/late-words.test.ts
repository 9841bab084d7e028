/** What agents said, and what they were told, long after it was: a late word is about its own time, and about nobody else. */
import { describe, expect, it } from "vitest";
import { power, tell } from "./tell.ts";
import type { Told } from "./told.ts";

/** When the agent asked for the renewal that is answered late; a lease lasts fifteen seconds from then. */
const askedMs = (told: Told): number => told.timeOf("agent:far", /^lease\/far\/1\.4 .* sent/);

function goneBeforeItIsReplaced(told: Told): void {
  const endedMs = told.timeOf(
    "agent:far",
    /^process of .*api\.1\.0 incarnation 1 ended with code 137/,
  );
  const fencedMs = told.timeOf("plane-1", /^health\/far\/.*\/fenced .* committed/);
  const begunMs = told.timeOf("agent:near", /^process of .*api\.1\.0 incarnation 2 started/);
  expect(endedMs - askedMs(told)).toBeLessThan(16_000);
  expect(endedMs).toBeLessThan(fencedMs);
  expect(fencedMs).toBeLessThan(begunMs);
}

describe("a late answer to a renewal", () => {
  const scenario = "late-answer-to-a-renewal";

  it("scenario: a renewal is answered after nine seconds and nothing more gets through: the process ends by when it was sent [AG2] [INV12]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    goneBeforeItIsReplaced(told);
    // The answer did come, and before the lease was over: counted from then, it would have lasted beyond the fencing.
    const fencedMs = told.timeOf("plane-1", /^health\/far\/.*\/fenced .* committed/);
    expect(askedMs(told) + 9_000 + 15_000).toBeGreaterThan(fencedMs);
    expect(told.replicasAtEnd()).toEqual([
      "api.1.0 incarnation 2 serving on near",
      "api.1.1 incarnation 1 serving on near",
    ]);
  });

  it("power: an agent that counts its lease from the answer still runs what was given up", async () => {
    const defect = "lease-counted-from-reply";
    expect(await power({ defect, scenario, prove: goneBeforeItIsReplaced })).toEqual({
      withoutFaults: "clean",
      withFaults: expect.stringMatching(
        /^INV12: .*fenced while .*api\.1\.0 incarnation 1 is running there/,
      ),
    });
  });
});

function nothingEndsTwice(told: Told): void {
  expect(told.committed(/^report\/.*\/failed@/)).toHaveLength(1);
  expect(told.lines("agent:node-1", /^process of .* started/)).toHaveLength(2);
  expect(told.lines("agent:node-1", /^process of .* ended/)).toHaveLength(1);
  expect(told.replicasAtEnd()).toEqual(["shop.1.0 incarnation 2 serving on node-1"]);
}

describe("a late report of an earlier incarnation", () => {
  const scenario = "late-report-of-an-earlier-incarnation";

  it("scenario: an end is told twice and its first copy arrives in the next incarnation: that one serves on [ST3] [INV8]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    nothingEndsTwice(told);
    const servesMs = told.timeOf("plane-1", /^report\/.*\/2\/serving@.* committed/);
    const late = /^report\/.*\/1\/failed@10 .* conflict: wrong-incarnation \[ST3\]/;
    expect(told.timeOf("plane-1", late)).toBeGreaterThan(servesMs);
  });

  it("power: an authority that does not ask which incarnation is meant frees one that runs", async () => {
    const defect = "report-of-another-incarnation";
    expect(await power({ defect, scenario, prove: nothingEndsTwice })).toEqual({
      withoutFaults: "clean",
      withFaults: expect.stringMatching(/^INV8: .*freed .*shop\.1\.0 incarnation 2 .*is running/),
    });
  });
});

function namesakeServes(told: Told): void {
  expect(told.made("Replica")).toEqual(["Replica/web/shop.1.0", "Replica/web/shop.1.0"]);
  expect(told.committed(/^report\/.*\/failed@/)).toEqual([]);
  expect(told.replicasAtEnd()).toEqual(["shop.1.0 incarnation 1 serving on node-1"]);
}

describe("a late report of a namesake", () => {
  const scenario = "late-report-of-a-namesake";

  it("scenario: scaled to nothing and up again while an end is told: the new replica of that name and incarnation serves on [ST3] [INV8]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    namesakeServes(told);
    const serves = told.lines("plane-1", /^report\/.*\/1\/serving@.* committed/);
    const late =
      /^report\/.*\/1\/failed@.* conflict: wrong-incarnation \[ST3\], .*shop\.1\.0 uid is /;
    expect(serves).toHaveLength(2);
    expect(told.timeOf("plane-1", late)).toBeGreaterThan(serves[1]!.atMs);
  });

  it("power: an authority that goes by name and incarnation frees one that runs", async () => {
    const defect = "report-of-a-namesake";
    expect(await power({ defect, scenario, prove: namesakeServes })).toEqual({
      withoutFaults: "clean",
      withFaults: expect.stringMatching(/^INV8: .*freed .*shop\.1\.0 incarnation 1 .*is running/),
    });
  });
});
