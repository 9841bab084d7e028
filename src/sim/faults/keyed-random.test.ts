import { expect, test } from "vitest";
import { between, hashText, keyed } from "../../core/kernel/keyed-hash.ts";
import { KeyedRandom } from "./keyed-random.ts";

test("a draw depends on its key alone", () => {
  const site = hashText("latency");
  expect(keyed(7, site, 1, 2, 3)).toBe(keyed(7, site, 1, 2, 3));
  const others = [
    keyed(8, site, 1, 2, 3),
    keyed(7, site + 1, 1, 2, 3),
    keyed(7, site, 2, 1, 3),
    keyed(7, site, 1, 3, 2),
  ];
  expect(new Set([keyed(7, site, 1, 2, 3), ...others]).size).toBe(5);
});

test("draws are spread evenly enough to be used as chances", () => {
  const counts = Array.from({ length: 10 }, () => 0);
  for (let key = 0; key < 10_000; key++) {
    const bucket = between(keyed(1, 2, key, 0, 0), 0, 9);
    counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
  for (const count of counts) expect(count).toBeGreaterThan(850);
});

test("between() keeps to its ends, and reaches both", () => {
  const drawn = new Set(
    Array.from({ length: 200 }, (_, key) => between(keyed(1, 1, key, 0, 0), 3, 6)),
  );
  expect(drawn).toEqual(new Set([3, 4, 5, 6]));
});

test("named draws of one purpose do not move those of another", () => {
  const worlds = new KeyedRandom(1, "world");
  const faults = new KeyedRandom(1, "faults");
  expect(worlds.draw("size")).not.toBe(faults.draw("size"));
  expect(worlds.draw("size", 1)).not.toBe(worlds.draw("size", 2));
  expect(new KeyedRandom(1, "world").draw("size")).toBe(worlds.draw("size"));
});
