import { describe, expect, it } from "vitest";
import { areaPath, linePath, roundUp } from "./chart-path.ts";

const BOX = { fromMs: 0, toMs: 100, most: 10 };
const points = (...values: (number | null)[]) =>
  values.map((value, at) => ({ atMs: at * 25, value }));

describe("the paths of a chart", () => {
  it("go from left to right, 0 at the bottom and the most at the top", () => {
    expect(linePath(points(0, 5, 10, 10, 0), BOX)).toBe("M0 80L80 40L160 0L240 0L320 80");
    expect(areaPath(points(5, 5), BOX)).toBe("M0 80L0 40L80 40L80 80Z");
  });

  it("have gaps where nothing was measured, and a dot for a value between two gaps", () => {
    expect(linePath(points(0, null, 10, null, 5), BOX)).toBe(
      "M-1.5 80H1.5M158.5 0H161.5M318.5 40H321.5",
    );
    expect(linePath(points(null, null), BOX)).toBe("");
    expect(areaPath(points(1, null), BOX)).toBe("");
  });
});

it("the top of a chart is a round number that nothing is above", () => {
  expect([0, 1, 3, 17, 51, 400].map(roundUp)).toEqual([1, 1, 5, 20, 100, 500]);
});
