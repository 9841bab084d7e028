/** What every scoring policy owes the scheduler, on random fleets and asks. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { AskShape, Fleet } from "../../src/core/propose/fleet/fleet.ts";
import { hasRoom, unitFits } from "../../src/core/propose/fleet/room.ts";
import { ALL_POLICIES } from "../../src/core/propose/policies/all-policies.ts";
import type { ScoringPolicy } from "../../src/core/propose/policies/scoring-policy.ts";
import { aFleet } from "../builders/a-fleet.ts";
import { runs } from "./runs.ts";

const row = fc.record({
  cpuMillis: fc.integer({ min: 8_000, max: 128_000 }),
  memoryMiB: fc.integer({ min: 16_384, max: 524_288 }),
  used: fc.array(fc.oneof(fc.constantFrom(0, 0, 1000), fc.integer({ min: 0, max: 1000 })), {
    maxLength: 8,
  }),
  kind: fc.integer({ min: 0, max: 2 }),
});

const fleets = fc
  .array(row, { minLength: 1, maxLength: 6 })
  .map((rows) => (): Fleet => aFleet(Object.fromEntries(rows.map((each, at) => [`n${at}`, each]))));

const devices = fc.oneof(
  fc.constant({ units: 0, unitMillis: 0 }),
  fc.integer({ min: 1, max: 999 }).map((unitMillis) => ({ units: 1, unitMillis })),
  fc.integer({ min: 1, max: 8 }).map((units) => ({ units, unitMillis: 1000 })),
);

const asks = fc
  .tuple(
    fc.integer({ min: 0, max: 40_000 }),
    fc.integer({ min: 0, max: 65_536 }),
    devices,
    fc.constantFrom(undefined, Uint8Array.of(1, 0, 0), Uint8Array.of(0, 1, 1)),
  )
  .map(([cpuMillis, memoryMiB, of, kinds]): AskShape => ({
    cpuMillis,
    memoryMiB,
    ...of,
    kinds: of.units === 0 ? undefined : kinds,
  }));

const deviceAsks = asks.filter(({ units }) => units > 0);

const scores = (policy: ScoringPolicy, fleet: Fleet, shapes: readonly AskShape[]): unknown =>
  shapes.map((shape) =>
    Array.from({ length: fleet.size }, (_, at) =>
      hasRoom(fleet, at, shape)
        ? [policy.score(fleet, at, shape), policy.units(fleet, at, shape)]
        : "no room",
    ),
  );

const policies = fc.constantFrom(...Object.values(ALL_POLICIES));

test("property: scores are whole numbers of 31 bits, and units are what the ask wants", () => {
  fc.assert(
    fc.property(
      policies,
      fleets,
      fc.array(asks, { minLength: 1, maxLength: 20 }),
      (create, lay, shapes) => {
        const policy = create();
        const fleet = lay();
        for (const shape of shapes) {
          policy.arrived(shape);
          for (let at = 0; at < fleet.size; at += 1) {
            if (!hasRoom(fleet, at, shape)) continue;
            const score = policy.score(fleet, at, shape);
            expect(Number.isInteger(score) && Math.abs(score) < 2 ** 30).toBe(true);
            const units = policy.units(fleet, at, shape);
            expect(new Set(units).size).toBe(shape.units);
            for (const unit of units) {
              expect(unitFits(fleet, unit, shape)).toBe(true);
              expect(unit).toBeGreaterThanOrEqual(fleet.unitStart[at] ?? 0);
              expect(unit).toBeLessThan(fleet.unitStart[at + 1] ?? 0);
            }
          }
        }
      },
    ),
    runs(300),
  );
});

test("property: the same asks in another order leave the same scores", () => {
  fc.assert(
    fc.property(
      policies,
      fleets,
      // What was learned takes effect at every doubling: a power of two ends at one.
      fc
        .integer({ min: 0, max: 6 })
        .chain((power) => fc.array(deviceAsks, { minLength: 2 ** power, maxLength: 2 ** power }))
        .chain((list) =>
          fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
        ),
      (create, lay, [list, shuffled]) => {
        const one = create();
        const other = create();
        for (const shape of list) one.arrived(shape);
        for (const shape of shuffled) other.arrived(shape);
        expect(other.version).toBe(one.version);
        const fleet = lay();
        expect(scores(other, fleet, list)).toEqual(scores(one, fleet, list));
      },
    ),
    runs(200),
  );
});

test("property: what was taken and given back leaves the scores as they were", () => {
  fc.assert(
    fc.property(
      policies,
      fleets,
      fc.array(asks, { minLength: 1, maxLength: 20 }),
      (create, lay, shapes) => {
        const policy = create();
        for (const shape of shapes) policy.arrived(shape);
        const fleet = lay();
        const before = scores(policy, fleet, shapes);
        const taken: (() => void)[] = [];
        for (const [index, shape] of shapes.entries()) {
          const at = index % fleet.size;
          if (!hasRoom(fleet, at, shape)) continue;
          const units = policy.units(fleet, at, shape);
          fleet.take(at, shape, units, 1);
          taken.push(() => fleet.take(at, shape, units, -1));
        }
        for (const giveBack of taken) giveBack();
        expect(scores(policy, fleet, shapes)).toEqual(before);
      },
    ),
    runs(200),
  );
});
