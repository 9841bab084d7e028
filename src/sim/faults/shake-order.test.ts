import { expect, test } from "vitest";
import { shaken } from "./shake-order.ts";

test("the same things come out in another order", () => {
  const items = Array.from({ length: 20 }, (_, at) => at);
  const other = shaken(items, 1, 2);
  expect(other).not.toEqual(items);
  expect(other.toSorted((a, b) => a - b)).toEqual(items);
  expect(shaken(items, 1, 2)).toEqual(other);
  expect(shaken(items, 1, 3)).not.toEqual(other);
});
