/** The order of checking, making durable and answering, under every way an append can end. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { choices } from "./commands.ts";
import { runs, TIME_LIMIT_MS } from "./runs.ts";
import { foldLog, type PlaneMove, TwoPlanes } from "./two-planes.ts";

const planeMoves: fc.Arbitrary<PlaneMove[]> = fc.array(
  fc.record({
    verb: fc.oneof(
      { weight: 10, arbitrary: fc.constant("request" as const) },
      { weight: 7, arbitrary: fc.constant("store" as const) },
      { weight: 2, arbitrary: fc.constant("arrive" as const) },
      { weight: 1, arbitrary: fc.constant("restart" as const) },
      { weight: 2, arbitrary: fc.constant("news" as const) },
      { weight: 1, arbitrary: fc.constant("lapse" as const) },
      { weight: 1, arbitrary: fc.constant("late-answer" as const) },
    ),
    // One plane does most of the talking, or they would depose each other before anything happens.
    plane: fc.constantFrom(0 as const, 0 as const, 0 as const, 1 as const),
    picks: choices(10),
  }),
  { maxLength: 160, size: "max" },
);

function walk(moves: readonly PlaneMove[]): TwoPlanes {
  const planes = new TwoPlanes();
  for (const move of moves) planes.take(move);
  return planes;
}

test(
  "property: two authorities on one log answer only what the durable log bears out, and a deposed or lapsed one nothing [EP2] [EP3] [EP4] [EP5] [EP6] [EP7] [EP8] [EP9]",
  () => {
    const answered: Record<string, number> = {};
    fc.assert(
      fc.property(planeMoves, (moves) => {
        const planes = walk(moves);
        for (const [kind, count] of Object.entries(planes.answered)) {
          answered[kind] = (answered[kind] ?? 0) + count;
        }
      }),
      runs(400),
    );
    // Every kind of answer was put to the test, or the property says less than its name.
    const answers = ["committed", "conflict", "duplicate", "found", "not-found", "unavailable"];
    const kinds = [...answers, "followed", "took-over", "late"];
    expect(kinds.filter((kind) => (answered[kind] ?? 0) < 50)).toEqual([]);
  },
  TIME_LIMIT_MS,
);

test(
  "property: whatever becomes of appends, the log folds and no operation is in it twice [OP1] [EP3] [EP5]",
  () => {
    fc.assert(
      fc.property(planeMoves, (moves) => {
        const { log } = walk(moves).store;
        const operations = log.map(({ operation }) => operation);
        expect(new Set(operations).size).toBe(operations.length);
        expect(foldLog(log).revision).toBe(log.length);
      }),
      runs(200),
    );
  },
  TIME_LIMIT_MS,
);
