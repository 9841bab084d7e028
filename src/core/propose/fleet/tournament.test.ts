import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { OUT, Tournament } from "./tournament.ts";

/** The places of the best, worked out by looking at all of them. */
function bestFirst(scores: readonly number[]): readonly number[] {
  return scores
    .map((score, at) => ({ score, at }))
    .filter(({ score }) => score !== OUT)
    .toSorted((a, b) => b.score - a.score || a.at - b.at)
    .map(({ at }) => at);
}

// Few different scores, so that equals are met all the time.
const scores = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constant(OUT));

const matches = fc
  .integer({ min: 1, max: 40 })
  .chain((size) =>
    fc.tuple(
      fc.array(scores, { minLength: size, maxLength: size }),
      fc.array(fc.tuple(fc.nat({ max: size - 1 }), scores), { maxLength: 60 }),
    ),
  );

describe("property: a tournament", () => {
  test("has the winner and the top that a scan of all entries finds, after any sets", () => {
    fc.assert(
      fc.property(matches, fc.nat({ max: 8 }), ([first, sets], count) => {
        const now = [...first];
        const tournament = new Tournament(now.length);
        tournament.fill((at) => now[at] ?? OUT, now.length);
        for (const [at, score] of [[0, now[0] ?? OUT] as const, ...sets]) {
          tournament.set(at, score);
          now[at] = score;
          const ranked = bestFirst(now);
          expect(tournament.winner()).toBe(ranked[0] ?? -1);
          expect(tournament.best).toBe(now[ranked[0] ?? -1] ?? OUT);
          expect(tournament.top(count)).toEqual(ranked.slice(0, count));
          // Looking at the top takes nobody out for good.
          expect(now.map((_, each) => tournament.score(each))).toEqual(now);
        }
      }),
      { seed: 4, numRuns: 300 },
    );
  });

  test("filled at once is the same as set one by one", () => {
    fc.assert(
      fc.property(matches, ([first]) => {
        const filled = new Tournament(first.length);
        filled.fill((at) => first[at] ?? OUT, first.length);
        const set = new Tournament(first.length);
        for (const [at, score] of first.entries()) set.set(at, score);
        expect(filled.top(first.length)).toEqual(set.top(first.length));
      }),
      { seed: 4, numRuns: 100 },
    );
  });
});

test("a tournament without entries, or with all of them out, has no winner", () => {
  const empty = new Tournament(0);
  expect([empty.best, empty.winner(), empty.top(3)]).toEqual([OUT, -1, []]);
  const one = new Tournament(1);
  one.set(0, -5);
  expect(one.winner()).toBe(0);
  one.set(0, OUT);
  expect(one.winner()).toBe(-1);
});
