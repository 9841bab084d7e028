import { describe, expect, it } from "vitest";
import { lagsOf } from "./lags.ts";

const told = (of: Readonly<Record<string, number>>) => ({
  replicas: Object.keys(of),
  boundMs: Float64Array.from(Object.values(of)),
});

describe("lagsOf", () => {
  it("compares each replica with itself, whatever the order it was told in", () => {
    const leader = told({ a: 10, b: 20 });
    const lags = lagsOf(leader, [told({ b: 25, a: 30 }), told({ a: 11, b: 21 })]);
    expect([...lags]).toEqual([5, 20, 1, 1]);
  });

  it("takes a follower that was first for one that is not behind", () => {
    expect([...lagsOf(told({ a: 10 }), [told({ a: 8 })])]).toEqual([0]);
  });

  it("leaves out what the leader's watcher was never told of", () => {
    expect([...lagsOf(told({}), [told({ a: 8 })])]).toEqual([]);
  });
});
