import { expect, it } from "vitest";
import { inkOn, scaleOf, STEP_NONE, STEP_OVER, stepOf, STEPS } from "./colour-scale.ts";

it("stepOf() keeps nothing, nearly nothing, nearly all, all, too much and none apart", () => {
  expect(stepOf(0)).toBe(0);
  expect(stepOf(0.001)).toBe(1);
  expect(stepOf(0.999)).toBe(STEPS - 2);
  expect(stepOf(1)).toBe(STEPS - 1);
  expect(stepOf(1.01)).toBe(STEP_OVER);
  expect(stepOf(-1)).toBe(STEP_NONE);
});

it("stepOf() never falls while a share grows", () => {
  const steps = Array.from({ length: 1_001 }, (_, share) => stepOf(share / 1_000));
  expect(steps).toEqual(steps.toSorted((a, b) => a - b));
  expect(new Set(steps).size).toBe(STEPS);
});

it("scaleOf() begins and ends with the given colours and goes through the one in the middle", () => {
  const scale = scaleOf(["#000", "#808080", "#ffffff"]);
  expect(scale).toHaveLength(STEPS);
  expect(scale[0]).toBe("#000000");
  expect(scale.at(-1)).toBe("#ffffff");
  expect(scale).toEqual(scale.toSorted());
  expect(() => scaleOf(["red", "blue"])).toThrow(/#rrggbb/);
});

it("inkOn() is dark on light and light on dark", () => {
  expect(inkOn("#d6e3ec")).toBe("dark");
  expect(inkOn("#083c64")).toBe("light");
});
