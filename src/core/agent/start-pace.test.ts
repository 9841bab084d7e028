import { describe, expect, test } from "vitest";
import { LOAD_LIMITS } from "../model/limits/load-limits.ts";
import { type ObjectKey, replicaKey } from "../model/ids.ts";
import { StartPace } from "./start-pace.ts";

const AT_ONCE = LOAD_LIMITS.startsAtOnce.value;
const PER_SECOND = LOAD_LIMITS.startsPerSecond.value;

const keyOf = (tenant: string, at: number): ObjectKey =>
  replicaKey({ tenant, workload: "w", generation: 1, slot: at });

/** Asks for a start of each, and says that those which were permitted have begun. */
function ask(pace: StartPace, keys: readonly ObjectKey[], nowMs: number): readonly ObjectKey[] {
  const permitted = keys.filter((key) => pace.take(key, nowMs));
  for (const key of permitted) pace.over(key);
  return permitted;
}

const many = (tenant: string, count: number): readonly ObjectKey[] =>
  Array.from({ length: count }, (_, at) => keyOf(tenant, at));

describe("starts of an agent", () => {
  test("a few begin at once, the others so many a second [LB4]", () => {
    const pace = new StartPace();
    const keys = many("t1", 500);
    expect(ask(pace, keys, 1_000)).toHaveLength(AT_ONCE);
    let begun = 0;
    for (let nowMs = 1_010; nowMs <= 4_000; nowMs += 10) {
      begun += ask(pace, pace.call(nowMs), nowMs).length;
    }
    expect(begun).toBe(3 * PER_SECOND);
  });

  test("the timer is set for the next token, and for nothing while nobody waits [LB4]", () => {
    const pace = new StartPace();
    expect(pace.nextMs(1_000)).toBe(Number.POSITIVE_INFINITY);
    ask(pace, many("t1", AT_ONCE + 1), 1_000);
    expect(pace.nextMs(1_000)).toBe(1_000 + 1_000 / PER_SECOND);
    expect(pace.call(pace.nextMs(1_000))).toHaveLength(1);
    expect(pace.nextMs(1_050)).toBe(Number.POSITIVE_INFINITY);
  });

  test("one that is asked for twice has one place in the line [LB4]", () => {
    const pace = new StartPace();
    ask(pace, many("t1", AT_ONCE), 1_000);
    const late = keyOf("t1", AT_ONCE);
    for (let at = 0; at < 5; at += 1) expect(pace.take(late, 1_000)).toBe(false);
    expect(pace.call(2_000)).toEqual([late]);
    expect(pace.take(late, 2_000)).toBe(true);
  });

  test("no more are under way than a node looks after; one that hangs counts for a while only [LB4]", () => {
    const pace = new StartPace();
    const keys = many("t1", 100);
    const begun = keys.filter((key) => pace.take(key, 0));
    expect(begun).toHaveLength(LOAD_LIMITS.startsUnderWay.value);
    expect(pace.call(5_000)).toEqual([]);
    pace.over(begun[0] as ObjectKey);
    expect(pace.call(5_000)).toHaveLength(1);
    expect(pace.nextMs(5_000)).toBe(LOAD_LIMITS.startPatienceMs.value);
    expect(pace.call(LOAD_LIMITS.startPatienceMs.value).length).toBeGreaterThan(1);
  });

  test("tenants take turns: one that crash-loops a thousand does not hold up another's one [LB5]", () => {
    const pace = new StartPace();
    ask(pace, many("loud", 1_000), 0);
    const quiet = keyOf("quiet", 0);
    expect(pace.take(quiet, 0)).toBe(false);
    expect(pace.call(2 * (1_000 / PER_SECOND))).toContain(quiet);
  });

  test("what is not wanted any more leaves the line [LB4]", () => {
    const pace = new StartPace();
    const keys = many("t1", AT_ONCE + 2);
    ask(pace, keys, 0);
    pace.over(keys[AT_ONCE] as ObjectKey);
    expect(pace.call(60_000)).toEqual([keys[AT_ONCE + 1]]);
  });
});
