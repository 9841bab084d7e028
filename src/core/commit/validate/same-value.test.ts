import { expect, test } from "vitest";
import { sameValue } from "./same-value.ts";

test("values that differ only in the order of their fields are the same", () => {
  expect(sameValue({ a: 1, b: { c: [1, 2] } }, { b: { c: [1, 2] }, a: 1 })).toBe(true);
});

test("another value, another length, another field or another shape is a difference", () => {
  expect(sameValue({ a: 1 }, { a: 2 })).toBe(false);
  expect(sameValue([1, 2], [2, 1])).toBe(false);
  expect(sameValue([1], [1, 2])).toBe(false);
  expect(sameValue({ a: undefined }, { b: undefined })).toBe(false);
  expect(sameValue({}, { a: undefined })).toBe(false);
  expect(sameValue([], {})).toBe(false);
  expect(sameValue(null, {})).toBe(false);
  expect(sameValue("1", 1)).toBe(false);
});
