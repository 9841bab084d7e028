import { expect, test } from "vitest";
import { ageText } from "./age-text.ts";
import { cpuText, memoryText, shareText } from "./amount-text.ts";
import { textFilter } from "./text-filter.ts";

test.each([
  [-500, "0s"],
  [119_999, "119s"],
  [200_000, "3m20s"],
  [240_000, "4m"],
  [3_600_000, "60m"],
  [9_000_000, "2h30m"],
  [86_400_000, "24h"],
  [400_000_000, "4d"],
])("an age of %i ms is %s", (ageMs, text) => {
  expect(ageText(ageMs)).toBe(text);
});

test("amounts are short and say no more than they know", () => {
  expect([250, 1_500, 12_340, 128_000].map(cpuText)).toEqual(["0.25", "1.5", "12.3", "128"]);
  expect([64, 1_536, 262_144, 3_145_728].map(memoryText)).toEqual([
    "64Mi",
    "1.5Gi",
    "256Gi",
    "3Ti",
  ]);
  expect([shareText(1, 1_000), shareText(999, 1_000), shareText(1, 2)]).toEqual([
    "1%",
    "99%",
    "50%",
  ]);
});

test("a filter wants all of its words and none of those with a minus", () => {
  const matches = textFilter("Pay api -old");
  expect(["payments/api", "payments/old-api", "shop/api"].map(matches)).toEqual([
    true,
    false,
    false,
  ]);
  expect(textFilter(" - ")("anything")).toBe(true);
});
