import { expect, test } from "vitest";
import { divergenceText } from "./divergence-text.ts";

const timer = (effect: number) => ({
  effect,
  fields: [
    { field: "kind", expected: "timer", got: "timer" },
    { field: "atMs", expected: "1700000000000", got: "1700000000500" },
  ],
});

test("[RC2] both sides of each effect stand side by side, and what differs is marked", () => {
  const text = divergenceText({ turn: 7, expected: "timer", got: "timer", effects: [timer(2)] });
  expect(text.split("\n")).toEqual([
    "Diverged at turn 7.",
    "  expected  timer",
    "  got       timer",
    "  effect 2  expected         got",
    "  kind      timer            timer",
    "  atMs      1700000000000  ≠ 1700000000500",
  ]);
});

test("[RC2] of many effects the first are shown, and the rest is counted", () => {
  const effects = Array.from({ length: 8 }, (_, at) => timer(at + 1));
  const lines = divergenceText({ turn: 7, expected: "a", got: "b", effects }).split("\n");
  expect(lines.filter((line) => line.startsWith("  effect "))).toHaveLength(5);
  expect(lines.at(-1)).toBe("  … 3 more effects differ; --json lists them");
});

test("a difference without effects is the two sides alone", () => {
  expect(divergenceText({ turn: 7, expected: "clean", got: "violation BD1" })).toBe(
    "Diverged at turn 7.\n  expected  clean\n  got       violation BD1",
  );
});
