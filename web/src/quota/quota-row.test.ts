import { expect, test } from "vitest";
import { type AccountRow, evenness, readAccount, shareText } from "./quota-row.ts";

const NOTHING = [0, 0, 0] as const;

const aTenant = (name: string, of: Partial<AccountRow> = {}): AccountRow => ({
  ...readAccount([
    name,
    "tenant",
    name,
    null,
    [],
    [4_000, 4_096, 0],
    NOTHING,
    NOTHING,
    [4_000, 4_096, 0],
    NOTHING,
    NOTHING,
    null,
    [],
    [],
    1,
    0,
    null,
    0,
  ]),
  ...of,
});

test("a row is read by position", () => {
  expect(aTenant("shop")).toMatchObject({
    key: "shop",
    limit: [4_000, 4_096, 0],
    weight: 1,
    waiting: 0,
  });
});

test("evenness compares those who use or want something, and needs two of them", () => {
  const rich = aTenant("rich", { share: 400_000, used: [2_000, 0, 0] });
  const poor = aTenant("poor", { share: 100_000, used: [500, 0, 0] });
  expect(evenness([rich, poor, aTenant("idle")])).toBe(0.25);
  expect(evenness([rich, poor, aTenant("starved", { waiting: 3 })])).toBe(0);
  expect(evenness([rich])).toBeUndefined();
});

test("a share is shown in per cent", () => {
  expect(shareText(125_000)).toBe("12.5 %");
});
