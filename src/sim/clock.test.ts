import { fc, test } from "@fast-check/vitest";
import { expect } from "vitest";
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

test.prop([fc.array(fc.tuple(fc.nat(5_000), drift), { maxLength: 8 })])(
  "property: a clock never goes back, whatever its drift does [CL1]",
  (turns) => {
    const clock = new DriftingClock();
    let trueMs = 0;
    let last = clock.read(0);
    for (const [stepMs, perThousand] of turns) {
      trueMs += stepMs;
      clock.setDrift(trueMs, perThousand);
      for (let ms = 0; ms < 5; ms++) {
        expect(clock.read(trueMs + ms)).toBeGreaterThanOrEqual(last);
        last = clock.read(trueMs + ms);
      }
      trueMs += 5;
    }
  },
);

test.prop([drift, fc.nat(100_000), fc.nat(100_000)])(
  "property: a timer rings at the first true millisecond that shows its time",
  (perThousand, sinceMs, aheadMs) => {
    const clock = new DriftingClock();
    clock.setDrift(sinceMs, perThousand);
    const own = clock.read(sinceMs) + aheadMs;
    const due = clock.trueTimeOf(own);
    expect(clock.read(due)).toBeGreaterThanOrEqual(own);
    if (aheadMs > 0) expect(clock.read(due - 1)).toBeLessThan(own);
  },
);
