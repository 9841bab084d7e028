/** Two gangs that cannot both run: neither holds half of what it needs, and what the waiting one holds it gives back. */
import { describe, expect, it } from "vitest";
import { power, tell } from "./tell.ts";
import type { Told } from "./told.ts";

const scenario = "two-gangs-one-cluster";

function oneRunsAfterTheOther(told: Told): void {
  const left = told.bindings().map((text) => text.split(" incarnation")[0]);
  // Each gang in one commit, and never one of this and one of that.
  expect(left).toEqual(["left.1.0", "left.1.1", "right.1.0", "right.1.1"]);
  expect(told.committed(/^bind/).map(({ changes }) => changes.length)).toEqual([2, 2]);
  expect(told.replicasAtEnd().map((text) => text.split(" incarnation")[0])).toEqual([
    "left.1.0",
    "left.1.1",
    "right.1.0",
    "right.1.1",
  ]);
}

describe("two gangs that each need more than half", () => {
  it("scenario: one runs, the other waits without a node and without quota past its deadline [GA1] [GA3]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    oneRunsAfterTheOther(told);
    const first = told.committed(/^bind/)[0]!;
    const givenBack = told.committed(/^evict\/.*right.*\/gang$/).map(({ atMs }) => atMs);
    expect(givenBack.length).toBeGreaterThanOrEqual(2);
    // Ten seconds and a few looks after it had its quota; the controller that died on the way took up where it was.
    expect(givenBack[0]! - first.atMs).toBeLessThan(15_000);
    expect(givenBack[1]! - givenBack[0]!).toBeLessThan(20_000);
    expect(told.waits("place-1", "Workload/lab/right", "gang-does-not-fit")).not.toEqual([]);
    expect(told.waits("admit", "Workload/lab/right", "gang-backoff")).not.toEqual([]);
  });

  it("power: a gang that is bound in part holds a node that no other gang can use", async () => {
    const defect = "gang-bound-in-part";
    const { withFaults } = await power({ defect, scenario, prove: oneRunsAfterTheOther });
    expect(withFaults).toMatch(/^INV50: .* bound some of Workload\/lab\//);
  });
});
