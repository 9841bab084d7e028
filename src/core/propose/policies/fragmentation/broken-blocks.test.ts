import { expect, test } from "vitest";
import { BrokenBlocks } from "./broken-blocks.ts";
import { ONE } from "./fixed-point.ts";

const learned = (...sizes: readonly number[]): BrokenBlocks => {
  const blocks = new BrokenBlocks();
  for (const size of sizes) blocks.learn(size, size * 1000);
  blocks.settle(sizes.reduce((sum, size) => sum + size * 1000, 0));
  return blocks;
};

test("idle devices are of use in full blocks only", () => {
  const blocks = learned(4);
  expect(blocks.of(8_000, 8)).toBe(0);
  expect(blocks.of(7_000, 7)).toBe(3_000 * ONE);
  expect(blocks.of(4_500, 4)).toBe(500 * ONE);
});

test("single devices need no block", () => {
  expect(learned(1, 1).of(3_000, 3)).toBe(0);
});

test("blocks of several sizes count by the devices they want", () => {
  expect(learned(2, 6).of(5_000, 5)).toBe(0.25 * 1_000 * ONE + 0.75 * 5_000 * ONE);
});
