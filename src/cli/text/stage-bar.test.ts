import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { barWidthFor, inColour, stageBar, withStageBars } from "./stage-bar.ts";
import { terminalText } from "./terminal-text.ts";

const bar = (counts: Readonly<Record<string, number>>, width?: number): string =>
  stageBar(new Map(Object.entries(counts)), width);

describe("stageBar()", () => {
  test("has a letter for each replica, the furthest first", () => {
    expect(bar({ queued: 1, starting: 1, serving: 2, missing: 1 })).toBe("[SSsq.]");
    expect(bar({})).toBe("[]");
  });

  test("shows shares of many, and an empty bar for no share", () => {
    expect(bar({ serving: 998, failed: 1, unknown: 1 }, 10)).toBe("[SSSSSSSS?x]");
    expect(bar({ serving: 50, queued: 50 }, 10)).toBe("[SSSSSqqqqq]");
  });
});

const table = (ready: string, stages: string) => ({
  metadata: {},
  columnDefinitions: ["Name", "Ready", "Stages"].map((name) => ({ name, priority: 0 })),
  rows: [{ cells: ["api", ready, stages], object: { metadata: { name: "api" } } }],
});

describe("withStageBars()", () => {
  test("puts a bar behind the count, and counts what is wanted and not there as missing", () => {
    const barred = withStageBars(table("2/5", "queued 1 serving 2 released 3"));
    expect(barred.columnDefinitions.map(({ name }) => name)).toEqual([
      "Name",
      "Ready",
      "Progress",
      "Stages",
    ]);
    expect(barred.rows[0]?.cells).toEqual([
      "api",
      "2/5",
      "[SSq..]",
      "queued 1 serving 2 released 3",
    ]);
  });

  test("leaves tables alone that have no stages", () => {
    const nodes = { ...table("", ""), columnDefinitions: [{ name: "Name", priority: 0 }] };
    expect(withStageBars(nodes)).toBe(nodes);
  });
});

test("bars give up what the longest line is too long by, down to six", () => {
  expect(barWidthFor(["x".repeat(90)], 100)).toBe(20);
  expect(barWidthFor(["x".repeat(105)], 100)).toBe(15);
  expect(barWidthFor(["x".repeat(200)], 100)).toBe(6);
  expect(barWidthFor(["x".repeat(200)], undefined)).toBe(20);
});

test("colour changes nothing but colour", () => {
  const text = "NAME   PROGRESS   STAGES\napi    [SSq.]     serving 2\n";
  const painted = terminalText(inColour(text), true);
  expect(painted).toContain("\u001B[32mSS\u001B[0m\u001B[33mq\u001B[0m");
  expect(stripVTControlCharacters(painted)).toBe(text);
});
