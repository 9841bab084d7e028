/** A region goes dark, and what ran there comes back in the room that was kept in another. */
import { describe, expect, it } from "vitest";
import type { Commit } from "../../src/core/protocol/commit-record.ts";
import type { RecoveryStatus } from "../../src/core/model/recovery.ts";
import { power, tell } from "./tell.ts";
import type { Told } from "./told.ts";

const scenario = "region-lost-recovers-into-its-reserve";

const told = (commits: readonly Commit[]): readonly (RecoveryStatus | undefined)[] =>
  commits.flatMap(({ changes }) =>
    changes.flatMap(({ after }) => (after?.kind === "Workload" ? [after.status.recovery] : [])),
  );

function fourComeBack(of: Told): void {
  const back = of.bindings().filter((text) => /^risk-api\.1\.\d incarnation 2 on west-/.test(text));
  expect(back).toHaveLength(4);
  const last = told(of.committed(/^recover\//)).findLast((each) => each?.last !== undefined)?.last;
  expect(last?.lost).toBeGreaterThanOrEqual(1);
  expect(last?.missed).toBeUndefined();
  expect(last?.tookMs).toBeLessThan(300_000);
}

describe("a region that is lost", () => {
  it("scenario: region dark, reserve elsewhere, replies lost: four come back in time, in the room that was kept [RV4] [RV6]", () => {
    const of = tell(scenario);
    expect(of.surprises).toEqual([]);
    fourComeBack(of);
    const taken = of
      .committed(/^bind/)
      .flatMap(({ changes }) => changes.filter(({ key }) => key.includes(".recovery.")));
    expect(taken).toHaveLength(4);
    expect(taken.every(({ after }) => after === undefined)).toBe(true);
    // Nobody else was let in, although they waited for room all the time.
    const others = of.bindings().filter((text) => /^cart.* on west-/.test(text));
    expect(others).toHaveLength(4);
  });

  it("scenario: what is told of the recovery says where the time went [RV6]", () => {
    const last = told(tell(scenario).committed(/^recover\//)).findLast((each) => each?.last)?.last;
    const spent = Object.values(last?.spentMs ?? {}).reduce((sum, ms) => sum + ms, 0);
    expect(spent).toBe(last?.tookMs);
    // Silence of a whole region is waited out for two minutes: nothing else takes nearly as long.
    expect(last?.spentMs.lost).toBeGreaterThan(90_000);
  });

  it("power: a recovery reserve that is open to all replicas is gone when it is needed", async () => {
    const defect = "held-room-for-anybody";
    const { withFaults } = await power({ defect, scenario, prove: fourComeBack });
    expect(withFaults).toMatch(/^(INV40: |not proved)/);
  });
});
