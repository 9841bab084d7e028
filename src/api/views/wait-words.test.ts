import { expect, test } from "vitest";
import { exampleWords, reasonWords } from "./wait-words.ts";

test("a reason is said in words, also one that only a newer plane knows", () => {
  expect(reasonWords("quota-exhausted")).toBe("no quota left");
  expect(reasonWords("restart-backoff")).toBe("delay before a restart");
  expect(reasonWords("moon-phase")).toBe("moon phase");
});

test.each([
  ["Node//a-1 deviceMillis: 0", "node a-1: no device free"],
  ["Node//a-1 deviceMillis: 1000", "node a-1: 1 device free"],
  ["Node//a-1 cpuMillis: 100", "node a-1: 100m CPU free"],
  ["Node//a-1 memoryMiB: -64", "node a-1: no memory free"],
  [
    "Quota/payments/default regions.eu-west.cpuMillis: 0",
    "quota payments/default in eu-west: no CPU free",
  ],
  ["Node//a-1 taints: gpu=yes", "node a-1, taints: gpu=yes"],
  ["Node//c-1: override ov-1 (avoid-zone by ana)", "node c-1: override ov-1 (avoid-zone by ana)"],
  ["Node//a-1", "node a-1"],
  ["a-1", "a-1"],
  ["no recovery budget in eu", "no recovery budget in eu"],
])("the example %s is told as %s", (example, words) => {
  expect(exampleWords(example)).toBe(words);
});
