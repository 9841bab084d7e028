import { describe, expect, test } from "vitest";
import { LOAD_LIMITS } from "../model/limits/load-limits.ts";
import { type ObjectKey, replicaKey } from "../model/ids.ts";
import { StartLimiter } from "./start-limiter.ts";

const AT_ONCE = LOAD_LIMITS.startsAtOnce.value;
const PER_SECOND = LOAD_LIMITS.startsPerSecond.value;

const keyOf = (tenant: string, at: number): ObjectKey =>
  replicaKey({ tenant, workload: "w", generation: 1, index: at });

/** Asks for a start of each, and says that those which were permitted have begun. */
function ask(
  limiter: StartLimiter,
  keys: readonly ObjectKey[],
  nowMs: number,
): readonly ObjectKey[] {
  const permitted = keys.filter((key) => limiter.take(key, nowMs));
  for (const key of permitted) limiter.over(key);
  return permitted;
}

const many = (tenant: string, count: number): readonly ObjectKey[] =>
  Array.from({ length: count }, (_, at) => keyOf(tenant, at));

describe("starts of an agent", () => {
  test("a few begin at once, the others so many a second [LB4]", () => {
    const limiter = new StartLimiter();
    const keys = many("t1", 500);
    expect(ask(limiter, keys, 1_000)).toHaveLength(AT_ONCE);
    let begun = 0;
    for (let nowMs = 1_010; nowMs <= 4_000; nowMs += 10) {
      begun += ask(limiter, limiter.call(nowMs), nowMs).length;
    }
    expect(begun).toBe(3 * PER_SECOND);
  });

  test("the timer is set for the next token, and not at all while no start waits [LB4]", () => {
    const limiter = new StartLimiter();
    expect(limiter.nextMs(1_000)).toBe(Number.POSITIVE_INFINITY);
    ask(limiter, many("t1", AT_ONCE + 1), 1_000);
    expect(limiter.nextMs(1_000)).toBe(1_000 + 1_000 / PER_SECOND);
    expect(limiter.call(limiter.nextMs(1_000))).toHaveLength(1);
    expect(limiter.nextMs(1_050)).toBe(Number.POSITIVE_INFINITY);
  });

  test("one that is asked for twice has one place in the line [LB4]", () => {
    const limiter = new StartLimiter();
    ask(limiter, many("t1", AT_ONCE), 1_000);
    const late = keyOf("t1", AT_ONCE);
    for (let at = 0; at < 5; at += 1) expect(limiter.take(late, 1_000)).toBe(false);
    expect(limiter.call(2_000)).toEqual([late]);
    expect(limiter.take(late, 2_000)).toBe(true);
  });

  test("no more are under way than a node looks after; one that hangs counts for a while only [LB4]", () => {
    const limiter = new StartLimiter();
    const keys = many("t1", 100);
    const begun = keys.filter((key) => limiter.take(key, 0));
    expect(begun).toHaveLength(LOAD_LIMITS.startsUnderWay.value);
    expect(limiter.call(5_000)).toEqual([]);
    limiter.over(begun[0] as ObjectKey);
    expect(limiter.call(5_000)).toHaveLength(1);
    expect(limiter.nextMs(5_000)).toBe(LOAD_LIMITS.startPatienceMs.value);
    expect(limiter.call(LOAD_LIMITS.startPatienceMs.value).length).toBeGreaterThan(1);
  });

  test("tenants take turns: one that crash-loops a thousand does not hold up another's one [LB5]", () => {
    const limiter = new StartLimiter();
    ask(limiter, many("loud", 1_000), 0);
    const quiet = keyOf("quiet", 0);
    expect(limiter.take(quiet, 0)).toBe(false);
    expect(limiter.call(2 * (1_000 / PER_SECOND))).toContain(quiet);
  });

  test("what is not wanted any more leaves the line [LB4]", () => {
    const limiter = new StartLimiter();
    const keys = many("t1", AT_ONCE + 2);
    ask(limiter, keys, 0);
    limiter.over(keys[AT_ONCE] as ObjectKey);
    expect(limiter.call(60_000)).toEqual([keys[AT_ONCE + 1]]);
  });
});
