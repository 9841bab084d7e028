import * as fc from "fast-check";
import { expect, test } from "vitest";
import { recount } from "../../src/core/observe/accounts/recount.ts";
import { type Move, REGIONS, RegionalPlanes } from "./regional-planes.ts";
import { runs, TIME_LIMIT_MS } from "./runs.ts";

const WEIGHTS: Readonly<Record<Move["kind"], number>> = {
  lend: 8,
  ask: 4,
  deliver: 10,
  exchange: 12,
  round: 6,
  spend: 10,
  "spend-globally": 2,
  free: 5,
  pass: 6,
  "end-term": 4,
  "end-learning": 3,
  restart: 2,
  restore: 2,
  limit: 2,
};

const number = fc.nat({ max: 1_000 });
const aMove: fc.Arbitrary<Move> = fc.oneof(
  ...Object.entries(WEIGHTS).map(([kind, weight]) => ({
    weight,
    arbitrary: fc.record({
      kind: fc.constant(kind as Move["kind"]),
      a: number,
      b: number,
      c: number,
    }),
  })),
);

test(
  "no tenant ever holds more than its limit in all regions together, and every right is settled in the end [RG6][RG7][RG10]",
  { timeout: TIME_LIMIT_MS },
  () => {
    fc.assert(
      fc.property(fc.array(aMove, { minLength: 20, maxLength: 120, size: "max" }), (moves) => {
        const planes = new RegionalPlanes();
        for (const region of REGIONS) {
          for (const kind of ["exchange", "exchange"] as const) {
            planes.move({ kind, a: REGIONS.indexOf(region), b: 0, c: 1 });
          }
        }
        for (const move of moves) {
          planes.move(move);
          expect(planes.broken()).toBeUndefined();
        }
        planes.settle();
        expect(planes.broken()).toBeUndefined();
        expect(planes.unsettled()).toEqual([]);
        for (const { ledger } of [
          planes.global,
          ...REGIONS.map((name) => planes.regions[name].plane),
        ]) {
          expect(recount(ledger.objects)).toBeUndefined();
        }
      }),
      runs(120),
    );
  },
);
