/** What goes out again to somebody who does not answer: little, and all of it once there are answers. */
import { describe, expect, it } from "vitest";
import { power, tell } from "./tell.ts";
import type { Told } from "./told.ts";

const scenario = "plane-turns-everything-away";

const reports = (told: Told): readonly { readonly atMs: number; readonly text: string }[] =>
  told.lines("agent:node-1", /^report\/.*\/ready@.* sent to/);

/** Forty first attempts, ten retries at once, one a second, and one for each ten that were new. */
function fewRetriesUntilItIsBack(told: Told): void {
  const duringMs = reports(told).filter(({ atMs }) => atMs >= 4_000 && atMs < 14_000);
  expect(duringMs.length).toBeGreaterThanOrEqual(40);
  expect(duringMs.length).toBeLessThanOrEqual(40 + 10 + 11 + 4);
  const serving = told.replicasAtEnd().filter((text) => text.includes("serving"));
  expect(serving).toHaveLength(40);
}

describe("a plane that turns everything away for a while", () => {
  it("scenario: forty reports wait for it, and few of them are sent again before it is back [RN8]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    fewRetriesUntilItIsBack(told);
    // A round trip doubles what goes out, so all of them are heard long before the trickle would have let them.
    const heard = told.lines("plane-1", /\/ready@.* committed/).map(({ atMs }) => atMs);
    expect(heard).toHaveLength(40);
    expect(Math.max(...heard)).toBeLessThan(14_000 + 12_000);
  });

  it("power: without a budget every report is sent again by its own clock alone", async () => {
    const defect = "retries-without-a-budget";
    const found = await power({ defect, scenario, prove: fewRetriesUntilItIsBack });
    expect(found.withoutFaults).toBe("clean");
    expect(found.withFaults).toMatch(/^INV60: agent:node-1 sent \d+ retries/);
  });
});
