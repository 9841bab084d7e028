import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ObjectKey, workloadKey } from "../../model/ids.ts";
import { LEAST_WAITS, WaitRecord } from "./wait-record.ts";

const key = (at: number): ObjectKey => workloadKey("t", `w${at}`);

/** Each wait was estimated at a second and took so many milliseconds. */
function recorded(waits: readonly number[]): WaitRecord {
  const record = new WaitRecord();
  waits.forEach((ms, at) => {
    record.estimated(key(at), 1_000, 0);
    record.found(key(at), ms);
    record.bound(key(at));
  });
  return record;
}

describe("the record of estimated waits", () => {
  test("gives no interval before ten of them have ended [QU5]", () => {
    const waits = Array.from({ length: LEAST_WAITS }, () => 2_000);
    expect(recorded(waits.slice(1)).interval(1_000, 0)).toBeUndefined();
    expect(recorded(waits).interval(1_000, 0)).toEqual({ estimateMs: 2_000, upToMs: 2_000 });
  });

  test("scales an estimate by how long earlier waits took of theirs [QU5]", () => {
    const record = recorded([100, 200, 300, 400, 500, 600, 700, 800, 900, 9_000]);
    expect(record.interval(1_000, 0)).toEqual({ estimateMs: 600, upToMs: 9_000 });
    expect(record.interval(60_000, 10)).toEqual({ estimateMs: 36_000, upToMs: 540_000 });
  });

  test("forgets the oldest waits, so that it follows what has changed", () => {
    const old = Array.from({ length: 128 }, () => 9_000);
    const late = Array.from({ length: 128 }, () => 500);
    expect(recorded([...old, ...late]).interval(1_000, 0)?.upToMs).toBe(500);
  });

  test("counts a wait that goes on for longer than most with the time that it has lasted [QU5]", () => {
    const record = recorded(Array.from({ length: 12 }, () => 1_000));
    for (let at = 100; at < 104; at += 1) record.estimated(key(at), 1_000, 0);
    expect(record.interval(1_000, 500)?.upToMs).toBe(1_000);
    expect(record.interval(1_000, 8_000)?.upToMs).toBe(8_000);
    for (let at = 100; at < 104; at += 1) record.gone(key(at));
    expect(record.interval(1_000, 9_000)?.upToMs).toBe(1_000);
  });

  test("measures a wait from its first estimate, and learns nothing from another scheduler's bind", () => {
    const record = recorded(Array.from({ length: 9 }, () => 1_000));
    record.estimated(key(100), 1_000, 0);
    record.bound(key(100));
    expect(record.ended).toBe(9);
    record.estimated(key(101), 1_000, 0);
    record.estimated(key(101), 10, 2_990);
    record.found(key(101), 3_000);
    record.bound(key(101));
    expect(record.interval(1_000, 3_000)?.upToMs).toBe(3_000);
  });

  test("property: it gives whole numbers, and its end is no earlier than its estimate", () => {
    const ms = fc.nat({ max: 10_000_000 });
    fc.assert(
      fc.property(fc.array(ms, { minLength: 10, maxLength: 200 }), ms, ms, (waits, guess, now) => {
        const interval = recorded(waits).interval(guess, now)!;
        expect(Number.isSafeInteger(interval.estimateMs)).toBe(true);
        expect(Number.isSafeInteger(interval.upToMs)).toBe(true);
        expect(interval.upToMs).toBeGreaterThanOrEqual(interval.estimateMs);
        expect(interval.estimateMs).toBeGreaterThan(0);
      }),
    );
  });

  test("property: of waits like those before, half end within the estimate and nine of ten within its end [QU5]", () => {
    const random = fc.sample(fc.nat({ max: 100_000 }), { numRuns: 2_128, seed: 5 });
    const record = recorded(random.slice(0, 128));
    let [withinEstimate, withinEnd] = [0, 0];
    random.slice(128).forEach((ms, at) => {
      const { estimateMs, upToMs } = record.interval(1_000, 1_000 * at)!;
      if (ms <= estimateMs) withinEstimate += 1;
      if (ms <= upToMs) withinEnd += 1;
      record.estimated(key(1_000 + at), 1_000, 1_000 * at);
      record.found(key(1_000 + at), 1_000 * at + ms);
      record.bound(key(1_000 + at));
    });
    expect(withinEstimate / 2_000).toBeGreaterThan(0.46);
    expect(withinEstimate / 2_000).toBeLessThan(0.55);
    expect(withinEnd / 2_000).toBeGreaterThan(0.88);
    expect(withinEnd / 2_000).toBeLessThan(0.93);
  });
});
