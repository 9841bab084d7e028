import { describe, expect, it } from "vitest";
import { axisOf, linearTicks, logTicks, tickText } from "./axis.ts";

describe("linearTicks()", () => {
  it.each([
    [[0], [0, 1]],
    [
      [3, 10],
      [0, 2, 4, 6, 8, 10],
    ],
    [[0.05], [0, 0.01, 0.02, 0.03, 0.04, 0.05]],
    [[0.3], [0, 0.1, 0.2, 0.3]],
    [[50_000], [0, 10_000, 20_000, 30_000, 40_000, 50_000]],
    [[1_234], [0, 500, 1_000, 1_500]],
  ])("begins at nothing and ends above all of %j", (values, expected) => {
    expect(linearTicks(values)).toEqual(expected);
  });
});

describe("logTicks()", () => {
  it.each([
    [
      [500, 50_000],
      [500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000],
    ],
    [
      [10_000, 1_000_000],
      [10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000],
    ],
    [
      [1, 10_000_000],
      [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000],
    ],
    [[], [1, 10]],
    [
      [7, 7],
      [5, 10],
    ],
    [[10], [10, 20]],
  ])("reaches from below to above all of %j", (values, expected) => {
    expect(logTicks(values)).toEqual(expected);
  });
});

describe("axisOf()", () => {
  it("puts the first mark at one end and the last at the other", () => {
    const axis = axisOf([10], { scale: "linear" }, { from: 300, to: 0 });
    expect([axis.at(0), axis.at(5), axis.at(10)]).toEqual([300, 150, 0]);
  });

  it("begins where it is told to", () => {
    const axis = axisOf([95, 130], { scale: "linear", from: 80 }, { from: 0, to: 100 });
    expect(axis.ticks).toEqual([80, 90, 100, 110, 120, 130]);
    expect([axis.at(80), axis.at(130)]).toEqual([0, 100]);
  });

  it("gives every factor of ten the same length on a logarithmic one", () => {
    const axis = axisOf([1, 100], { scale: "log" }, { from: 0, to: 200 });
    expect([axis.at(1), axis.at(10), axis.at(100)]).toEqual([0, 100, 200]);
  });
});

describe("tickText()", () => {
  it.each([
    [0, "0"],
    [0.05, "0.05"],
    [999, "999"],
    [1_500, "1.5k"],
    [50_000, "50k"],
    [1_000_000, "1M"],
    [12_345, "12.3k"],
  ])("writes %d as %s", (value, expected) => {
    expect(tickText(value)).toBe(expected);
  });
});
