import { describe, expect, test } from "vitest";
import { Departures } from "./departures.ts";
import { estimateWait } from "./estimate-wait.ts";

function seen(departures: Departures, count: number): void {
  for (let at = 0; at < count; at += 1) departures.note();
}

describe("departures", () => {
  test("are counted from the first look on, and no further back than ten minutes", () => {
    const departures = new Departures();
    departures.lately(100_000);
    seen(departures, 3);
    expect(departures.lately(130_000)).toEqual({ freed: 3, withinMs: 30_000 });
    seen(departures, 2);
    expect(departures.lately(160_000)).toEqual({ freed: 5, withinMs: 60_000 });
    expect(departures.lately(730_000)).toEqual({ freed: 2, withinMs: 600_000 });
    expect(departures.lately(9_000_000)).toEqual({ freed: 0, withinMs: 600_000 });
  });

  test("make an estimate that says what it rests on", () => {
    expect(estimateWait(4, { freed: 10, withinMs: 120_000 })).toEqual({
      estimateMs: 60_000,
      basis: "10 replicas left a node in the last 2 min, and 4 are ahead of it",
    });
    expect(estimateWait(0, { freed: 1, withinMs: 4_500 })).toEqual({
      estimateMs: 4_500,
      basis: "1 replica left a node in the last 5 s, and 0 are ahead of it",
    });
  });

  test("that there were none make no estimate", () => {
    expect(estimateWait(4, { freed: 0, withinMs: 600_000 })).toEqual({
      basis: "no replica left a node in the last 10 min",
    });
  });
});
