/** A region with a plane of its own that cannot reach the global plane for longer than its term. */
import { describe, expect, it } from "vitest";
import { power, tell } from "./tell.ts";
import type { Told } from "./told.ts";

const scenario = "ninety-seconds-of-us-west";
const WEST = "us-west/plane-1";
const CUT_MS = 60_000;
const BACK_MS = 150_000;

/** Sooner or later the last word of each look at it. */
const boundAt = (told: Told, replica: string): readonly number[] =>
  told
    .lines(WEST, new RegExp(`^bind/Replica/shop/${replica}/.* committed at revision`))
    .map(({ atMs }) => atMs);

function worksWithinItsRights(told: Told): void {
  const endedMs = told.timeOf(WEST, /^end-term\/.* committed at revision/);
  // By its own clock, from when it asked: the answer that began the term was asked for before the cut.
  expect(endedMs).toBeGreaterThan(CUT_MS + 50_000);
  expect(endedMs).toBeLessThan(CUT_MS + 60_000);
  const [banner, ...others] = boundAt(told, "banner.1.0");
  expect(banner).toBeGreaterThan(80_000);
  expect(banner).toBeLessThan(81_000);
  expect(others).toEqual([]);
  // One of three fits what the region was lent; two need what other regions have.
  const sale = ["sale.1.0", "sale.1.1", "sale.1.2"].flatMap((name) => boundAt(told, name));
  const early = sale.filter((atMs) => atMs < BACK_MS);
  expect([early.length, sale.length]).toEqual([1, 3]);
  expect(early[0]).toBeLessThan(endedMs);
  // New after the end of the term, and held until the link is back.
  const badge = boundAt(told, "badge.1.0");
  expect(badge).toHaveLength(1);
  expect(badge[0]).toBeGreaterThan(BACK_MS);
  // Lost after the end of the term, and replaced at once within what was charged.
  const [first, again] = boundAt(told, "cart.1.0");
  expect(first).toBeLessThan(CUT_MS);
  expect(again).toBeGreaterThan(135_000);
  expect(again).toBeLessThan(140_000);
}

describe("ninety seconds of us-west without the global plane", () => {
  const told = tell(scenario);

  it("scenario: it works within its rights, repairs after its term, and gets the rest on return [RG10] [RG11] [RG12]", () => {
    expect(told.surprises).toEqual([]);
    worksWithinItsRights(told);
    // What ran before the cut was never touched.
    expect(boundAt(told, "cart.1.1")).toHaveLength(1);
    expect(told.lines("us-west/agent:west-1", /ended with code 137/)).toEqual([]);
  });

  it("scenario: rights move to us-west only once other regions have given them up [RG6] [RG7]", () => {
    const lent = told.lines("global/plane-1", /^lend\/.* committed at revision/);
    const during = lent.filter(({ atMs }) => atMs > CUT_MS && atMs < BACK_MS);
    expect(during).toEqual([]);
    const toWest = lent.filter(({ atMs, text }) => atMs > BACK_MS && text.includes("us-west"));
    expect(toWest.length).toBeGreaterThan(1);
  });

  it("power: a region that goes on after its term is found out", async () => {
    const defect = "region-spends-after-its-term";
    const found = await power({ defect, scenario, prove: worksWithinItsRights });
    expect(found.withFaults).not.toBe("clean");
  });
});
