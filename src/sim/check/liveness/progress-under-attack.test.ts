import { expect, test } from "vitest";
import { CheckerHarness } from "../../../../test/builders/check/checker-harness.ts";
import { aNode } from "../../../../test/builders/check/fixtures.ts";
import { createProgressUnderAttackChecker } from "./progress-under-attack.ts";

/** A node that stays suspect for ten minutes of a healed world, while attacks last until then. */
function suspectFor(attackedUntilMs: number, isOwnDamage = false): readonly string[] {
  const attacks = [
    { by: "user:mallory", attack: "flood", atMs: attackedUntilMs, times: 1 },
  ] as const;
  const harness = new CheckerHarness(createProgressUnderAttackChecker(), {
    attacks,
    faultsUntilMs: 0,
  });
  Object.assign(harness, { isOwnDamage: () => isOwnDamage });
  harness.commit({ put: [aNode({ status: { health: "suspect" } })] });
  for (; harness.nowMs < 600_000; harness.nowMs += 5_000) harness.sample();
  return harness.found.map((text) => text.slice(0, 5));
}

test("[LIV80] what stays as it is while attacks go on is told of", () => {
  expect(suspectFor(600_000)[0]).toBe("LIV80");
});

test("[LIV80] but not what ended before its patience, or is the sender's own", () => {
  expect(suspectFor(60_000)).toEqual([]);
  expect(suspectFor(600_000, true)).toEqual([]);
});
