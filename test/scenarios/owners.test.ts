/** Objects that belong to others: they go with their owners, and only then. */
import { describe, expect, it } from "vitest";
import { power, tell } from "./tell.ts";
import type { Told } from "./told.ts";

const scenario = "owner-is-changed-unseen";

function onlyTheOwnedGoes(told: Told): void {
  const left = [...told.atEnd().keys()].filter((key) => key.startsWith("Workload/"));
  expect(left).toEqual(["Workload/shop/report"]);
  expect(told.replicasAtEnd().map((text) => text.split(" on ")[0])).toEqual([
    "report.1.0 incarnation 1 serving",
  ]);
}

describe("an owner that is deleted", () => {
  it("scenario: news missed: what still belongs to it goes, and what was taken out stays [OB11, OB12]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    onlyTheOwnedGoes(told);
  });

  it("power: an authority that takes the controller's word deletes what was taken out", async () => {
    const defect = "collected-on-the-controllers-word";
    const { withFaults } = await power({ defect, scenario, prove: onlyTheOwnedGoes });
    expect(withFaults).toMatch(/^INV193: Workload\/shop\/report was collected/);
  });
});
