import { describe, expect, it } from "vitest";
import { latenciesOf, quantile } from "./latencies.ts";

describe("latenciesOf()", () => {
  it("tells the middle, the end and the last of the waits, in whatever order they came", () => {
    const waits = Array.from({ length: 100 }, (_, at) => ((at * 37) % 100) + 1);
    expect(latenciesOf(waits)).toEqual({ p50Ms: 50, p99Ms: 99, maxMs: 100 });
  });

  it("rounds to two digits, and says 0 of nothing", () => {
    expect(latenciesOf([1.23456])).toEqual({ p50Ms: 1.23, p99Ms: 1.23, maxMs: 1.23 });
    expect(latenciesOf([])).toEqual({ p50Ms: 0, p99Ms: 0, maxMs: 0 });
  });
});

describe("quantile()", () => {
  it("never names a value that fewer than the share reach", () => {
    const sorted = Float64Array.of(10, 20, 30, 40);
    expect([0, 0.25, 0.26, 0.75, 1].map((share) => quantile(sorted, share))).toEqual([
      10, 10, 20, 30, 40,
    ]);
  });
});
