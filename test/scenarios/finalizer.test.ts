/** Objects that were deleted and do not go: what the plane left on them it takes off, what others did it shows. */
import { describe, expect, it } from "vitest";
import { power, tell } from "./tell.ts";
import type { Told } from "./told.ts";

const scenario = "finalizer-left-behind";

/** True time of the commit after which the object was gone; its log is in order. */
function goneAt(told: Told, key: string): number {
  const commit = told.commits.find(({ changes }) =>
    changes.some((change) => change.key === key && change.after === undefined),
  );
  return commit?.revision ?? Number.POSITIVE_INFINITY;
}

function bothGo(told: Told): void {
  const left = [...told.atEnd().keys()].filter((key) => key.startsWith("Tenant/"));
  expect(left).toEqual([]);
  const [lifted] = told.committed(/^user\/.*\/put\/Tenant\/\/bank/).slice(1);
  // Only the person's own hand let the second one go, and long after the first had gone.
  expect(goneAt(told, "Tenant//bank")).toBe(lifted?.revision);
  expect(goneAt(told, "Tenant//shop")).toBeLessThan(lifted?.revision ?? 0);
}

describe("a finalizer that was left behind", () => {
  it("scenario: the plane's own is taken off, a stranger's is shown with its age and stays [RP2] [RP3]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    bothGo(told);
    const waits = told.waits("lift-finalizer", "Tenant//bank", "foreign-finalizer");
    const said = waits.map(({ because }) => because.summary);
    expect(said[0]).toMatch(/waits for its finalizers: example\.com\/backup$/);
    expect(said.at(-1)).toMatch(/backup, for 1 min so far$/);
  });

  it("power: a finalizer without an owner keeps its tenant for ever", async () => {
    const defect = "lost-finalizer-is-nobodys";
    const { withFaults } = await power({ defect, scenario, prove: bothGo });
    expect(withFaults).toMatch(/^LIV4: Tenant\/\/shop is being deleted/);
  });
});
