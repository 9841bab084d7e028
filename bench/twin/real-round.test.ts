import { describe, expect, test } from "vitest";
import { figuresOf, isTrue, medianOf, type Round } from "./real-round.ts";

const round = (run: number, realMs: number, simulatedMs: readonly number[]): Round => ({
  loss: "node",
  run,
  startUpMs: 500,
  real: { lost: 2, tookMs: realMs, stages: { lost: realMs - 600, starting: 600 } },
  simulated: simulatedMs.map((tookMs) => ({
    lost: 2,
    tookMs,
    stages: { lost: tookMs - 500, starting: 500 },
  })),
  violations: [],
});

describe("the figures of real and simulated losses", () => {
  test("are medians, and the ratio is the median of the runs", () => {
    const rounds = [
      round(1, 10_000, [9_000, 10_000, 11_000]),
      round(2, 20_000, [10_000, 10_000, 10_000]),
      round(3, 16_000, [16_000, 16_000, 19_000]),
    ];
    const [node] = figuresOf(rounds);
    expect(node).toMatchObject({ loss: "node", runs: 3, realMs: 16_000, simulatedMs: 10_000 });
    expect(node?.ratio).toBe(1);
    expect(node?.stages).toContainEqual({ stage: "starting", realMs: 600, simulatedMs: 500 });
    expect(node?.stages).toContainEqual({ stage: "queued", realMs: 0, simulatedMs: 0 });
  });

  test.each([
    [7_900, false],
    [8_000, true],
    [12_500, true],
    [12_600, false],
  ])("call a twin that says %i ms of ten real seconds true: %s", (simulatedMs, expected) => {
    const [node] = figuresOf([round(1, 10_000, [simulatedMs])]);
    expect(node !== undefined && isTrue(node)).toBe(expected);
  });

  test.each([
    [[], 0],
    [[3], 3],
    [[5, 1], 3],
    [[9, 1, 4], 4],
  ])("take the middle of %j for the median: %i", (values, median) => {
    expect(medianOf(values)).toBe(median);
  });
});
