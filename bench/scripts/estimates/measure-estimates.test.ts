import { expect, test } from "vitest";
import { measureEstimates } from "./measure-estimates.ts";

test("in simulated fleets about half of the waits end within the estimate and nine of ten within its end [QU5]", () => {
  const { rows, alarms } = measureEstimates(4);
  expect(alarms).toEqual([]);
  expect(rows.map(({ runs }) => runs)).toEqual(["calm", "stormy"]);
  for (const { withInterval, withinEstimatePercent, withinEndPercent } of rows) {
    expect(withInterval).toBeGreaterThan(100);
    expect(withinEstimatePercent).toBeGreaterThan(35);
    expect(withinEstimatePercent).toBeLessThan(65);
    expect(withinEndPercent).toBeGreaterThan(80);
    // An end that is never reached would say nothing.
    expect(withinEndPercent).toBeLessThan(98);
  }
});
