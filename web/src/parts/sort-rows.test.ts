import { expect, test } from "vitest";
import { parseSorting, sortRows } from "./sort-rows.ts";

const ROWS = [
  { name: "b", size: 10 },
  { name: "a", size: 9 },
  { name: "c", size: 10 },
];
const COLUMNS = [
  { id: "name", sortBy: (row: { name: string }) => row.name },
  { id: "size", sortBy: (row: { size: number }) => row.size },
  { id: "note" },
];

const namesBy = (text: string): string =>
  sortRows(ROWS, COLUMNS, parseSorting(text))
    .map(({ name }) => name)
    .join("");

test("rows are ordered by a column, the other way round, or not at all", () => {
  expect(namesBy("name")).toBe("abc");
  expect(namesBy("-name")).toBe("cba");
  expect(namesBy("size")).toBe("abc");
  expect(namesBy("-size")).toBe("bca");
  expect(namesBy("note")).toBe("bac");
  expect(namesBy("nothing")).toBe("bac");
});
