import { describe, expect, test } from "vitest";
import { ONE } from "./fixed-point.ts";
import { HoleWaste } from "./hole-waste.ts";

const learned = (counts: Readonly<Record<number, number>>): HoleWaste => {
  const holes = new HoleWaste();
  for (const [millis, count] of Object.entries(counts)) {
    for (let at = 0; at < count; at += 1) holes.learn(Number(millis));
  }
  holes.settle();
  return holes;
};

const wasteOf = ({ waste }: HoleWaste, hole: number): number =>
  Math.round((waste[hole] ?? 0) / ONE);

describe("the waste of a hole", () => {
  test("is all of it while nothing is known, and none of an idle device", () => {
    const holes = new HoleWaste();
    expect(wasteOf(holes, 400)).toBe(400);
    expect(wasteOf(holes, 1000)).toBe(0);
    expect(wasteOf(holes, 0)).toBe(0);
  });

  test("is what no share fits into", () => {
    const holes = learned({ 470: 8 });
    expect(wasteOf(holes, 530)).toBe(60);
    expect(wasteOf(holes, 940)).toBe(0);
    expect(wasteOf(holes, 460)).toBe(460);
  });

  test("counts thirds exactly", () => {
    expect(wasteOf(learned({ 333: 3 }), 667)).toBe(1);
  });

  test("falls with the chance that the share which fits comes soon", () => {
    const often = learned({ 190: 10, 810: 10 });
    const seldom = learned({ 190: 1, 810: 60 });
    expect(wasteOf(often, 190)).toBe(0);
    expect(wasteOf(seldom, 190)).toBeGreaterThan(100);
  });

  test("is never negative and never more than the hole, for any demand", () => {
    const holes = learned(
      Object.fromEntries(Array.from({ length: 200 }, (_, at) => [3 + at * 4, 1 + (at % 7)])),
    );
    for (const [hole, waste] of holes.waste.entries()) {
      expect(waste).toBeGreaterThanOrEqual(0);
      expect(waste).toBeLessThanOrEqual(hole * ONE);
    }
  });
});
