/** Rollouts that meet trouble: what is decided where, and where everything ends up. */
import { describe, expect, it } from "vitest";
import type { Workload } from "../../src/core/model/objects.ts";
import { power, tell } from "./tell.ts";
import type { Told } from "./told.ts";

const rolloutAtEnd = (told: Told): Workload["status"]["rollout"] =>
  (told.atEnd().get("Workload/shop/api") as Workload).status.rollout;

const servingAtEnd = (told: Told): readonly string[] =>
  told.replicasAtEnd().map((text) => text.replace(/ incarnation \d+/, "").split(" on ")[0]!);

function goesBack(told: Told): void {
  expect(servingAtEnd(told)).toEqual(["api.1.0 serving", "api.1.1 serving", "api.1.2 serving"]);
  expect(rolloutAtEnd(told)).toMatchObject({ stage: "rolled-back", to: 1 });
}

function isDone(told: Told): void {
  expect(servingAtEnd(told)).toEqual(["api.2.0 serving", "api.2.1 serving"]);
  expect(rolloutAtEnd(told)).toBeUndefined();
}

describe("a release that finds no room", () => {
  const scenario = "release-that-finds-no-room";

  it("scenario: the old release is placed again while the new one waits, and all of it is back after the deadline [RO9] [RO7]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    goesBack(told);
    const [failed] = told.committed(/^roll\/.*\/fail@/);
    const again = told.committed(/^bind.*\/2$|^bind-all\/.*\.2$/);
    // Those that were lost with their node had their next incarnation long before the deadline.
    expect(again[0]!.atMs).toBeLessThan(failed!.atMs - 30_000);
    expect(rolloutAtEnd(told)?.reason).toBe(
      "no progress for 60 s: 0 of 1 replica of generation 2 serves; 1 waiting for a node",
    );
    expect(told.waits("roll-out", "Workload/shop/api", "rollout-unavailable-budget")).not.toEqual(
      [],
    );
  });

  it("power: what is restarting is given up for what will never serve", async () => {
    const defect = "rollout-gives-up-what-served";
    const { withoutFaults, withFaults } = await power({ defect, scenario, prove: goesBack });
    expect(withoutFaults).toBe("clean");
    expect(withFaults).toMatch(/^INV83: Workload\/shop\/api leaves generation 1/);
  });

  it("power: a scheduler that looks at the newest generation only leaves the old one waiting", async () => {
    const defect = "stuck-generation-holds-up-the-other";
    const { withFaults } = await power({ defect, scenario, prove: goesBack });
    expect(withFaults).toMatch(/^INV18: place-1 lets Workload\/shop\/api wait/);
  });
});

describe("a rollout whose count is out of date", () => {
  const scenario = "rollout-counts-twice";

  it("scenario: an old replica is kept because another failed on the way of the command that leaves it [RO3]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    isDone(told);
    expect(told.lines("plane-1", /roll\/.* conflict.*rollout-unavailable/)).toHaveLength(1);
  });

  it("power: an authority that takes the sender's word for it leaves too few serving", async () => {
    const defect = "rollout-counts-on-its-view";
    const { withoutFaults, withFaults } = await power({ defect, scenario, prove: isDone });
    expect(withoutFaults).toBe("clean");
    expect(withFaults).toMatch(/^INV80: Replica\/shop\/api.1.0 was asked to stop by roll-out/);
  });
});
