/** Policies that are moved and taken back while other things go on. */
import { describe, expect, it } from "vitest";
import { power, tell } from "./tell.ts";
import type { Told } from "./told.ts";

const revisionOf = ({ after }: Told["commits"][number]["changes"][number]): string | undefined =>
  after?.kind === "Replica" ? after.status.policyRevision : undefined;

function refusesTheOldRevision(told: Told): void {
  const refused = told.lines("plane-1", /^bind\/.*conflict: policy-moved \[PY5\]/);
  expect(refused).toHaveLength(1);
}

function movesOneAtATime(told: Told): void {
  const evicted = told.committed(/^evict\/.*\/policy$/);
  expect(evicted.map(({ changes }) => changes[0]?.key)).toEqual([
    "Replica/web/shop.1.1",
    "Replica/web/shop.1.2",
  ]);
  const [first, second] = evicted;
  const served = told
    .committed(/^report\/Replica\/web\/shop\.1\.1\/.*\/serving@/)
    .filter(({ atMs }) => atMs > (first?.atMs ?? 0));
  expect(second?.atMs).toBeGreaterThan(served[0]?.atMs ?? Number.POSITIVE_INFINITY);
}

describe("a rollback in the middle of a repair", () => {
  const scenario = "rollback-races-repair";

  it("scenario: what is placed anew goes under the revision in force, and the rest follows its plan [PY5] [PY7] [PY8]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    refusesTheOldRevision(told);
    movesOneAtATime(told);
    const binds = told.committed(/^bind/).flatMap(({ changes }) => changes.map(revisionOf));
    expect(binds.slice(0, 3)).toEqual(["default-2", "default-2", "default-2"]);
    expect(binds.slice(3)).toEqual(["default-1", "default-1", "default-1"]);
  });

  it("power: an authority that takes the sender's word binds under a revision that was left", async () => {
    const defect = "bind-under-any-revision";
    const told = await power({ defect, scenario, prove: refusesTheOldRevision });
    expect(told.withFaults).toMatch(/^INV141: /);
  });

  it("power: a plan that no controller carries out leaves everything where it is", async () => {
    const defect = "rollback-is-forgotten";
    const told = await power({ defect, scenario, prove: movesOneAtATime });
    expect(told.withFaults).toMatch(/^LIV58: /);
  });
});
