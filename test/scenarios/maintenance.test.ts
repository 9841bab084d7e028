/** People who look after machines, and get in each other's way. */
import { describe, expect, it } from "vitest";
import { power, tell } from "./tell.ts";
import type { Told } from "./told.ts";

const DEADLINE_MS = 30_000;

function eachLiftsTheirOwn(told: Told): void {
  const refused = told.lines("plane-1", /put\/Node\/\/old .*refused: not-holder \[MT1\]/);
  expect(refused).toHaveLength(1);
}

function waitsForTheDeadline(told: Told): void {
  const [began] = told
    .committed(/put\/Node\/\/old$/)
    .filter(
      ({ changes: [change] }) => change?.after?.kind === "Node" && change.after.spec.draining,
    );
  const [over] = told.committed(/^drain-over\//);
  expect(over!.atMs - began!.atMs).toBeGreaterThanOrEqual(DEADLINE_MS);
}

describe("two people and one machine", () => {
  const scenario = "two-people-one-machine";

  it("scenario: a hold is lifted by its holder or by force, a drain is forced after its deadline [MT1] [MT2] [MT3] [MT4]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    eachLiftsTheirOwn(told);
    waitsForTheDeadline(told);
    const forced = told.committed(/^evict\//).map(({ evidence }) => evidence);
    expect(forced).toEqual([0, 1].map(() => ({ kind: "drain-forced", node: "old" })));
    const lifted = told.committed(/put\/Node\/\/old$/).at(-1);
    expect(lifted).toMatchObject({ actor: { name: "bob" }, evidence: { kind: "person" } });
    expect(told.replicasAtEnd()).toEqual([
      "shop.1.0 incarnation 2 serving on new",
      "shop.1.1 incarnation 2 serving on new",
    ]);
  });

  it("power: an authority that does not ask whose it is lets any user lift a cordon", async () => {
    const defect = "anybody-lifts-a-cordon";
    const told = await power({ defect, scenario, prove: eachLiftsTheirOwn });
    expect(told.withFaults).toMatch(/^INV90: /);
  });

  it("power: a drain that knows no deadline is over at once", async () => {
    const defect = "drain-is-over-at-once";
    const told = await power({ defect, scenario, prove: waitsForTheDeadline });
    expect(told.withFaults).toMatch(/^INV91: /);
  });
});
