import { type Arbitrary, assert, constant, integer, property, record } from "fast-check";
import { describe, expect, test } from "vitest";
import { desiredReplicas, type ScaleQuestion, replicasNeeded } from "./desired-replicas.ts";

const TARGET = 1_000;

/** Ten replicas, all measured, with a load of so many replicas' worth, in tenths. */
function asked(tenths: number, of: Partial<ScaleQuestion> = {}): ScaleQuestion {
  const sumMillis = tenths * 100;
  const recommendation = replicasNeeded(sumMillis, TARGET);
  return {
    replicas: 10,
    min: 2,
    max: 20,
    stepUp: 10,
    stepDown: 10,
    least: recommendation,
    most: recommendation,
    floor: 0,
    ...of,
    load: { sumMillis, covered: 10, of: 10, targetMillis: TARGET, ...of.load },
  };
}
const answer = (tenths: number, of: Partial<ScaleQuestion> = {}) =>
  desiredReplicas(asked(tenths, of));
const load = (tenths: number, covered: number, of = 10): Partial<ScaleQuestion> => ({
  load: { sumMillis: tenths * 100, covered, of, targetMillis: TARGET },
});

describe("desiredReplicas()", () => {
  test.each([
    ["stays where the load is within a tenth of the target [AS5]", 110, {}, 10, "steady"],
    ["stays a tenth below it, too [AS5]", 90, {}, 10, "steady"],
    ["goes to what the load needs above that [AS5]", 111, {}, 12, "load-high"],
    ["goes to what the load needs below that [AS5]", 89, {}, 9, "load-low"],
    ["never asks for more than it may [AS4]", 900, {}, 20, "load-high", "max"],
    ["never goes below what it must have [AS4]", 1, {}, 2, "load-low", "min"],
    ["goes up by no more than one step [AS5]", 200, { stepUp: 3 }, 13, "load-high", "step"],
    ["goes down by no more than one step [AS5]", 20, { stepDown: 3 }, 7, "load-low", "step"],
    ["waits for the time of the next step up [AS5]", 200, { stepUp: 0 }, 10, "load-high", "period"],
    [
      "waits for the time of the next step down [AS5]",
      20,
      { stepDown: 0 },
      10,
      "load-low",
      "period",
    ],
    [
      "takes the least recommendation of the window for more [AS5]",
      200,
      { least: 12 },
      12,
      "load-high",
    ],
    [
      "stays until more was needed all the time [AS5]",
      200,
      { least: 7 },
      10,
      "load-high",
      "window",
    ],
    ["takes the most of the window for fewer [AS5]", 20, { most: 6 }, 6, "load-low"],
    ["stays while more was needed a moment ago [AS5]", 20, { most: 14 }, 10, "load-low", "window"],
    ["comes back into its bounds from above at once [AS4]", 100, { max: 4 }, 4, "above-max"],
    ["comes back into its bounds from below at once [AS4]", 100, { min: 14 }, 14, "below-min"],
    ["asks for those that are lost for now [AS8]", 100, { floor: 11 }, 11, "too-few-serve"],
    [
      "gives none back that are needed in place of lost ones [AS8]",
      20,
      { floor: 9 },
      9,
      "load-low",
      "min",
    ],
  ] as const)("%s", (_, tenths, of, to, why, limit?: string) => {
    expect(answer(tenths, of)).toEqual({ to, why, ...(limit === undefined ? {} : { limit }) });
  });

  test("gives nothing back while a sample is missing, now or in the window [AS3]", () => {
    const stays = { to: 10, why: "load-low", limit: "samples" };
    expect(answer(20, load(20, 9))).toEqual(stays);
    expect(answer(0, load(0, 0))).toEqual(stays);
    expect(answer(0, load(0, 0, 0))).toEqual(stays);
    expect(answer(20, { most: undefined })).toEqual(stays);
  });

  test("counts those that were not measured as idle before it asks for more [AS3]", () => {
    expect(answer(0, load(90, 5)).to).toBe(10);
    expect(answer(0, { ...load(150, 5), least: 15 }).to).toBe(15);
  });

  test("credits replicas that are on their way: the load is theirs, too [AS5]", () => {
    // Four serve and carry the load of eight; four more are starting.
    const starting = { replicas: 8, least: 8, most: 8, ...load(80, 4, 4) };
    expect(answer(0, starting)).toEqual({ to: 8, why: "steady" });
  });
});

const ANY = record({
  replicas: integer({ min: 1, max: 60 }),
  min: integer({ min: 1, max: 20 }),
  more: integer({ min: 0, max: 40 }),
  stepUp: integer({ min: 0, max: 12 }),
  stepDown: integer({ min: 0, max: 12 }),
  sumMillis: integer({ min: 0, max: 80_000 }),
  covered: integer({ min: 0, max: 60 }),
  missing: integer({ min: 0, max: 3 }),
  below: integer({ min: 0, max: 30 }),
  above: integer({ min: 0, max: 30 }),
  floor: integer({ min: 0, max: 25 }),
  targetMillis: constant(TARGET),
});

type Drawn = typeof ANY extends Arbitrary<infer T> ? T : never;

const questionOf = (of: Drawn): ScaleQuestion => {
  const { min, more, sumMillis, covered, missing, below, above, targetMillis, ...rest } = of;
  const recommendation = replicasNeeded(sumMillis, targetMillis);
  return {
    ...rest,
    min,
    max: min + more,
    least: Math.max(0, recommendation - below),
    most: missing > 0 ? undefined : recommendation + above,
    load: { sumMillis, covered, of: covered + missing, targetMillis },
  };
};

describe("property: desiredReplicas()", () => {
  test("stays within its bounds, and moves by no more than a step unless it is outside of them [AS4]", () => {
    assert(
      property(ANY, (of) => {
        const question = questionOf(of);
        const { replicas, min, max, stepUp, stepDown } = question;
        const { to } = desiredReplicas(question);
        expect(to).toBeGreaterThanOrEqual(min);
        expect(to).toBeLessThanOrEqual(max);
        if (replicas < min || replicas > max) return;
        expect(to - replicas).toBeLessThanOrEqual(stepUp);
        expect(replicas - to).toBeLessThanOrEqual(stepDown);
      }),
    );
  });

  test("asks for no more than load and losses need, and for no fewer when something is missing [AS3]", () => {
    assert(
      property(ANY, (of) => {
        const question = questionOf(of);
        const { replicas, min, max, floor, load: seen } = question;
        if (replicas < min || replicas > max) return;
        const { to } = desiredReplicas(question);
        const needed = Math.max(replicasNeeded(seen.sumMillis, seen.targetMillis), floor, min);
        const most = Math.max(replicas, needed);
        const least = seen.covered < seen.of ? replicas : Math.min(replicas, needed, max);
        expect(to).toBeLessThanOrEqual(most);
        expect(to).toBeGreaterThanOrEqual(least);
      }),
    );
  });

  test("comes to rest under a constant load, without ever turning round [AS5]", () => {
    assert(
      property(ANY, (of) => {
        let question = { ...questionOf(of), floor: 0 };
        const recommendation = replicasNeeded(question.load.sumMillis, question.load.targetMillis);
        question = {
          ...question,
          least: recommendation,
          most: recommendation,
          stepUp: 3,
          stepDown: 2,
        };
        const path = [question.replicas];
        for (let turn = 0; turn < 60; turn += 1) {
          question = { ...question, replicas: desiredReplicas(question).to };
          path.push(question.replicas);
        }
        const sorted = path.toSorted((a, b) => a - b);
        expect([sorted, sorted.toReversed()]).toContainEqual(path);
        expect(path.at(-1)).toBe(path.at(-2));
      }),
    );
  });
});
