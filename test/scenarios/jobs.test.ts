/** Jobs that meet trouble: no index runs twice at once, and every job comes to the end that is true. */
import { describe, expect, it } from "vitest";
import { power, tell } from "./tell.ts";
import type { Told } from "./told.ts";

function isDone(told: Told): void {
  expect(told.replicasAtEnd()).toEqual([
    "render.1.0 incarnation 2 succeeded",
    "render.1.1 incarnation 1 succeeded",
    "render.1.2 incarnation 1 succeeded",
    "render.1.3 incarnation 2 succeeded",
  ]);
  expect(told.committed(/^finish\/.*\/succeeded$/)).toHaveLength(1);
}

describe("an index of a job whose node falls silent", () => {
  const scenario = "job-index-on-a-silent-node";

  it("scenario: it is run again only when its process is gone, and an index that fails once is tried again [BA2] [BA3]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    isDone(told);
    const gone = told.timeOf("agent:node-2", /process of .*render.1.0 incarnation 1 ended/);
    expect(
      told.timeOf("agent:node-1", /process of .*render.1.0 incarnation 2 started/),
    ).toBeGreaterThan(gone);
  });

  it("power: without a leash the index runs again while its process still does", async () => {
    const defect = "no-leash";
    const { withoutFaults, withFaults } = await power({ defect, scenario, prove: isDone });
    expect(withoutFaults).toBe("clean");
    expect(withFaults).toMatch(/^INV(8|12): /);
  });
});

function isGone(told: Told): void {
  expect(told.replicasAtEnd()).toEqual([]);
  expect(told.atEnd().get("Workload/shop/render")).toBeUndefined();
  expect(told.committed(/^finish\/.*\/deadline-exceeded$/)).toHaveLength(1);
}

describe("a job with a deadline whose leader starts again", () => {
  const scenario = "job-deadline-under-a-new-leader";

  it("scenario: it gets its whole time again, then fails, is stopped, and goes [BA4] [BA5] [BA6]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    isGone(told);
    const leads = told.commits.filter(({ command }) => command === "lead");
    const [finish] = told.committed(/^finish\//);
    expect(finish!.atMs - leads.at(-1)!.atMs).toBeGreaterThanOrEqual(30_000);
    expect(finish!.epoch).toBe(leads.at(-1)!.epoch);
  });

  it("power: a leader that goes on counting on an earlier clock calls it failed too early", async () => {
    const defect = "job-deadline-by-another-clock";
    const { withoutFaults, withFaults } = await power({ defect, scenario, prove: isGone });
    expect(withoutFaults).toBe("clean");
    expect(withFaults).toMatch(/^INV102: Workload\/shop\/render is said to be deadline-exceeded/);
  });
});
