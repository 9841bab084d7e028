import { describe, expect, test } from "vitest";
import { compareWorlds } from "./compare-worlds.ts";
import { NEIGHBOUR, worldOf } from "./two-worlds.ts";

/** More of them: `berth simulate --two-worlds`. */
const SEEDS = [6, 8, 10, 12];

describe("two worlds that differ in what one tenant wrote", () => {
  test.each(SEEDS)("read the same to another tenant, seed %i [AZ46]", (seed) => {
    const { violation, reads } = compareWorlds(seed);
    expect(violation).toBeUndefined();
    // Otherwise nothing would be compared.
    expect(reads).toBeGreaterThan(500);
  });

  test("have as many steps under the same ids, and other words in nearly all of them", () => {
    const [one = [], two = []] = (["one", "two"] as const).map((of) => worldOf(4, of).neighbour);
    const ids = (steps: typeof one) => steps.map(({ intent, atMs }) => [intent.operation, atMs]);
    expect(ids(two)).toEqual(ids(one));
    const same = one.filter(
      ({ intent }, at) => JSON.stringify(intent) === JSON.stringify(two[at]?.intent),
    );
    expect(same.length).toBeLessThan(one.length / 2);
    expect(one.every(({ as }) => as === NEIGHBOUR)).toBe(true);
  });
});
