import { describe, expect, test } from "vitest";
import type { SloSpec } from "../../core/model/slo.ts";
import { SloCount } from "./slo-count.ts";

const MINUTE = 60_000;
/** Nine of ten within 100 ms, over two hours. */
const spec: SloSpec = {
  indicator: "bind-latency",
  threshold: 100,
  objective: 900_000,
  windowMs: 120 * MINUTE,
};

const given = (samples: readonly (readonly [minute: number, value: number])[]): SloCount => {
  const count = new SloCount(spec, 0);
  for (const [minute, value] of samples) count.add(value, minute * MINUTE);
  return count;
};

describe("SloCount", () => {
  test("has all of its budget while nothing was measured", () => {
    expect(given([]).read(MINUTE)).toMatchObject({
      measured: 0,
      good: 1,
      budgetLeft: 1,
      burn5m: 0,
    });
  });

  test("what is exactly at the threshold is good", () => {
    expect(given([[0, 100]]).read(0).good).toBe(1);
    expect(given([[0, 101]]).read(0).good).toBe(0);
  });

  test("half of what may go wrong leaves half of the budget", () => {
    const samples = Array.from({ length: 20 }, (_, at) => [1, at === 0 ? 999 : 1] as const);
    const { good, budgetLeft } = given(samples).read(MINUTE);
    expect(good).toBe(0.95);
    expect(budgetLeft).toBeCloseTo(0.5);
  });

  test("more than may go wrong leaves less than nothing", () => {
    expect(
      given([
        [0, 1],
        [0, 999],
      ]).read(0).budgetLeft,
    ).toBeCloseTo(-4);
  });

  test("each rate looks as far back as its name says, and the window forgets what it has left", () => {
    const count = given([
      [0, 999],
      [70, 999],
      [125, 1],
      [128, 999],
    ]);
    const { burn5m, burn1h, measured } = count.read(129 * MINUTE);
    expect(burn5m).toBeCloseTo(5);
    expect(burn1h).toBeCloseTo(20 / 3);
    expect(measured).toBe(3);
  });
});
