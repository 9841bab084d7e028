import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatDuration, parseDuration } from "./duration.ts";

describe("parseDuration()", () => {
  it.each([
    ["250ms", 250],
    ["90s", 90_000],
    ["1m30s", 90_000],
    ["2h", 7_200_000],
    ["0.5s", 500],
    ["0.1s", 100],
    ["-250ms", -250],
    ["0s", 0],
  ])("reads %s", (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each(["", "5", "s", "5 s", "5d", "1e3s", "0.0001s", "5m-3s", "--5s"])("refuses %j", (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });

  it("property: reads back every whole number of milliseconds that formatDuration() writes", () => {
    fc.assert(
      fc.property(fc.integer(), (ms) => {
        expect(parseDuration(formatDuration(ms))).toBe(ms === 0 ? 0 : ms);
      }),
    );
  });
});
