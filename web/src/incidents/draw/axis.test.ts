import { describe, expect, it } from "vitest";
import { anIncident } from "../an-incident.ts";
import {
  clampWindow,
  makeAxis,
  panWindow,
  revealIn,
  ticksIn,
  wholeOf,
  zoomWindow,
} from "./axis.ts";

const { turns } = anIncident();
const axis = makeAxis("time", turns);

describe("makeAxis()", () => {
  it("spreads the turns of one millisecond over it, in their order", () => {
    expect([...axis.positions].slice(3, 6)).toEqual([13, 13.5, 14]);
    expect([...makeAxis("turns", turns).positions].slice(0, 3)).toEqual([0, 1, 2]);
  });

  it("has room for a document without turns", () => {
    const empty = makeAxis("time", []);
    expect(empty.end).toBeGreaterThan(empty.start);
  });
});

describe("windows", () => {
  it("never leave the axis and never go nearer than there is something to see", () => {
    expect(clampWindow(axis, { from: -500, to: 900 })).toEqual(wholeOf(axis));
    const near = zoomWindow(axis, { from: 10, to: 20 }, { factor: 0.000_1, around: 15 });
    expect(near.to - near.from).toBeCloseTo(2);
    expect(panWindow(axis, { from: 10, to: 20 }, 100).to).toBeCloseTo(axis.end);
  });

  it("zooming leaves what is under the pointer where it is", () => {
    const { from, to } = zoomWindow(axis, { from: 10, to: 30 }, { factor: 0.5, around: 15 });
    expect((15 - from) / (to - from)).toBeCloseTo((15 - 10) / 20);
  });

  it("stays where it is when a turn is in view, moves a little when it is near, and jumps when it is far", () => {
    const window = { from: 10, to: 26 };
    expect(revealIn(axis, window, 18)).toBe(window);
    expect(revealIn(axis, window, 27).from).toBeCloseTo(13);
    const far = revealIn(axis, { from: 0, to: 8 }, 40);
    expect((far.from + far.to) / 2).toBeCloseTo(40);
  });

  it("has ticks at round places", () => {
    expect(ticksIn({ from: 3, to: 53 }, 6)).toEqual([10, 20, 30, 40, 50]);
    expect(ticksIn({ from: 0, to: 3 }, 20)).toEqual([0, 1, 2, 3]);
  });
});
