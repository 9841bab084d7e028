import { describe, expect, test } from "vitest";
import { jain, Measures } from "./measures.ts";

describe("jain()", () => {
  test("is 1 when all have the same and 1/n when one has everything", () => {
    expect(jain([3, 3, 3])).toBe(1);
    expect(jain([8, 0, 0, 0])).toBe(0.25);
    expect(jain([0, 0])).toBe(1);
  });
});

test("measures are weighed by the time for which they held", () => {
  const measures = new Measures(4, 20);
  measures.started(0);
  measures.started(6);
  measures.until(10, 4, [2, 2]);
  measures.until(20, 2, [2, 0]);
  // After the last submission devices fall idle by themselves, which says nothing about the
  // scheduler.
  measures.until(30, 2, [0]);
  expect(measures.figures()).toMatchObject({
    jobs: 2,
    waitP50S: 0,
    waitMaxS: 6,
    meanWaitS: 3,
    utilisationPercent: 75,
    fairness: 0.75,
  });
});
