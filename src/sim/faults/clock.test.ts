import * as fc from "fast-check";
import { expect, test } from "vitest";
import { DriftingClock } from "./clock.ts";

const drift = fc.integer({ min: -10, max: 10 });

test("a clock without drift shows true time, from its start", () => {
  const clock = new DriftingClock();
  expect(clock.read(1_234) - clock.read(0)).toBe(1_234);
});

test("a fast clock gains ten milliseconds a second at the bound", () => {
  const clock = new DriftingClock();
  clock.setDrift(500, 10);
  expect(clock.read(2_500) - clock.read(500)).toBe(2_020);
});

test("property: a clock never goes back, whatever its drift does [CL1]", () => {
  const turns = fc.array(fc.tuple(fc.nat(5_000), drift), { maxLength: 8 });
  fc.assert(
    fc.property(turns, (steps) => {
      const clock = new DriftingClock();
      const shown: number[] = [];
      let trueMs = 0;
      for (const [stepMs, perThousand] of steps) {
        shown.push(clock.read(trueMs), clock.read(trueMs + stepMs));
        trueMs += stepMs;
        clock.setDrift(trueMs, perThousand);
      }
      expect(shown).toEqual(shown.toSorted((a, b) => a - b));
    }),
  );
});

test("property: a timer rings at the first true millisecond that shows its time", () => {
  fc.assert(
    fc.property(
      drift,
      fc.nat(100_000),
      fc.integer({ min: 1, max: 100_000 }),
      (perThousand, sinceMs, aheadMs) => {
        const clock = new DriftingClock();
        clock.setDrift(sinceMs, perThousand);
        const own = clock.read(sinceMs) + aheadMs;
        const due = clock.trueTimeOf(own);
        expect(clock.read(due)).toBeGreaterThanOrEqual(own);
        expect(clock.read(due - 1)).toBeLessThan(own);
      },
    ),
  );
});
