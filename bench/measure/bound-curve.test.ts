import { expect, it } from "vitest";
import { thinnedOut } from "./bound-curve.ts";

it("thinnedOut() keeps a short curve as it is", () => {
  const points = [
    [0, 0],
    [5, 10],
  ] as const;
  expect(thinnedOut(points)).toEqual(points);
});

it("thinnedOut() keeps the first and the last point of a long one, and the order", () => {
  const points = Array.from({ length: 10_000 }, (_, at) => [at, 2 * at] as const);
  const thin = thinnedOut(points);
  expect(thin).toHaveLength(240);
  expect([thin[0], thin.at(-1)]).toEqual([
    [0, 0],
    [9_999, 19_998],
  ]);
  expect(thin).toEqual(thin.toSorted((a, b) => a[0] - b[0]));
});
