/** Random command sequences against the authority's judgement, with the naive model as the second opinion. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { REFUSALS } from "../../src/core/commit/refusals.ts";
import { SILENCE } from "./commands.ts";
import { runs, SEED, walks } from "./runs.ts";
import { SideBySide } from "./side-by-side.ts";
import { WIDE } from "./wishes.ts";

test("stats", () => {
  const count: Record<string, number> = {};
  const kinds: Record<string, number> = {};
  let total = 0;
  for (const walk of fc.sample(walks({ most: 100 }), { seed: SEED, numRuns: 150 })) {
    const pair = SideBySide.walk(walk);
    pair.outcomes.forEach((o, i) => {
      if (i < 15) return;
      total++;
      const label = "code" in o ? o.code : o.kind;
      count[label] = (count[label] ?? 0) + 1;
      if (o.kind === "committed") {
        const k = pair.sent[i]!.intent.kind;
        kinds[k] = (kinds[k] ?? 0) + 1;
      }
    });
  }
  console.log(total, count, kinds, Object.keys(REFUSALS).filter((c) => !count[c]));
  expect(total).toBeGreaterThan(0);
});

test("property: apply() agrees", () => {
  fc.assert(fc.property(walks({ most: 100 }), (walk) => void SideBySide.walk(walk)), runs(300));
});
test("property: silence", () => {
  fc.assert(
    fc.property(walks({ most: 60, universe: WIDE, weights: SILENCE }), (walk) => void SideBySide.walk(walk)),
    runs(200),
  );
});
