import { expect, test } from "vitest";
import { ageText } from "./age.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

test.each([
  [0, "0s"],
  [-5_000, "0s"],
  [119_999, "119s"],
  [2 * MINUTE, "2m"],
  [5 * MINUTE + 12_000, "5m12s"],
  [10 * MINUTE + 12_000, "10m"],
  [2 * HOUR + 59 * MINUTE, "179m"],
  [3 * HOUR + 5 * MINUTE, "3h5m"],
  [8 * HOUR + 5 * MINUTE, "8h"],
  [2 * DAY + 3 * HOUR, "2d3h"],
  [8 * DAY + 3 * HOUR, "8d"],
  [2 * 365 * DAY + 3 * DAY, "2y3d"],
  [9 * 365 * DAY, "9y"],
])("an age of %d ms reads as kubectl shows it", (ms, text) => {
  expect(ageText(ms)).toBe(text);
});
