/** Small work that never leaves a hole large enough: a node is kept for whoever was passed over. */
import { describe, expect, it } from "vitest";
import { power, tell } from "./tell.ts";
import type { Told } from "./told.ts";

const scenario = "large-work-among-small";

/** A minute until a node is kept, at most one batch until it is empty, and the looks in between. */
const BOUND_MS = 60_000 + 20_000 + 20_000;

function largeIsPlacedInTime(told: Told): void {
  const [enqueued] = told.committed(/^enqueue\/.*large/);
  const [bound] = told.committed(/^bind\/Replica\/web\/large/);
  expect(bound!.atMs - enqueued!.atMs).toBeLessThan(BOUND_MS);
}

describe("large work among small", () => {
  it("scenario: batches follow each other on every node, and the large one is placed in time [QU3]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    largeIsPlacedInTime(told);
    // The small ones were kept away for it, and went on afterwards.
    expect(told.waits("place-1", "Workload/lab/small-1", "room-kept")).not.toEqual([]);
    const [bound] = told.committed(/^bind\/Replica\/web\/large/);
    const later = told.committed(/^bind/).filter(({ revision }) => revision > bound!.revision);
    expect(later.length).toBeGreaterThan(10);
  });

  it("scenario: a waiting workload is told its place, and an estimate with its basis [QU4]", () => {
    const waits = tell(scenario).waits("place-2", "Workload/web/large", "no-feasible-node");
    expect(waits.at(-1)!.because.queue).toMatchObject({
      position: 1,
      replicasAhead: 0,
      estimateMs: expect.any(Number) as number,
      basis: expect.stringMatching(/replicas left a node in the last/) as string,
    });
  });

  it("power: a kept node that is given away is never empty enough", async () => {
    const defect = "kept-node-given-away";
    const { withoutFaults } = await power({ defect, scenario, prove: largeIsPlacedInTime });
    expect(withoutFaults).toMatch(/^LIV7: Replica\/web\/large\.1\.0 is still queued/);
  });
});
