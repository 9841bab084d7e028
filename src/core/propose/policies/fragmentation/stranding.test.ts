import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ONE } from "./fixed-point.ts";
import { Stranding } from "./stranding.ts";

interface Demand {
  readonly amount: number;
  readonly millis: number;
}

const learned = (demands: readonly Demand[]): Stranding => {
  const stranding = new Stranding();
  for (const { amount, millis } of demands) stranding.learn(amount, millis);
  stranding.settle(demands.reduce((sum, { millis }) => sum + millis, 0));
  return stranding;
};

const strandedBy = (stranding: Stranding, amount: number, millis: number): number =>
  Math.round(stranding.of(amount, millis) / ONE);

describe("stranding", () => {
  test("is nothing while nothing is known, and of nothing", () => {
    expect(strandedBy(new Stranding(), 1_000, 8_000)).toBe(0);
    expect(strandedBy(learned([{ amount: 8_000, millis: 1000 }]), 0, 0)).toBe(0);
  });

  test("is what is left of the devices when the processors are used up", () => {
    const stranding = learned([{ amount: 8_000, millis: 1000 }]);
    expect(strandedBy(stranding, 64_000, 8_000)).toBe(0);
    expect(strandedBy(stranding, 32_000, 8_000)).toBeCloseTo(4_000, -2);
    expect(strandedBy(stranding, 0, 8_000)).toBe(8_000);
  });

  test("is the mean over what is asked for, by devices", () => {
    const stranding = learned([
      { amount: 4_000, millis: 1000 },
      { amount: 48_000, millis: 3000 },
    ]);
    expect(strandedBy(stranding, 32_000, 4_000)).toBeCloseTo(1_500, -2);
  });

  test("property: agrees with the plain sum within the width of a bucket", () => {
    const demand = fc.record({
      amount: fc.oneof(fc.constant(0), fc.integer({ min: 1_000, max: 500_000 })),
      millis: fc.integer({ min: 10, max: 8_000 }),
    });
    fc.assert(
      fc.property(
        fc.array(demand, { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 0, max: 500_000 }),
        fc.integer({ min: 1, max: 16_000 }),
        (demands, amount, free) => {
          const whole = demands.reduce((sum, { millis }) => sum + millis, 0);
          const plain = demands.reduce((sum, each) => {
            const usable = each.amount === 0 ? free : (amount * each.millis) / each.amount;
            return sum + (each.millis / whole) * Math.max(0, free - usable);
          }, 0);
          const found = learned(demands).of(amount, free) / ONE;
          expect(Math.abs(found - plain)).toBeLessThanOrEqual(free * 0.02 + 2);
        },
      ),
      { seed: 4, numRuns: 300 },
    );
  });
});
