import { expect, it } from "vitest";
import { ViewTable } from "./view-table.ts";

const columns = ["node", "zone"];

it("ViewTable shows a table once all of it is there, then what changes and what goes", () => {
  const table = new ViewTable<{ readonly node: string; readonly zone: string }>();
  table.apply({ type: "table", revision: 5, at: 9, columns, rows: [["a", "x"]], more: true });
  expect(table.rows).toEqual([]);
  table.apply({ type: "rows", revision: 5, rows: [["b", "x"]], gone: [], more: false });
  expect(table.rows).toEqual([
    { node: "a", zone: "x" },
    { node: "b", zone: "x" },
  ]);
  table.apply({ type: "rows", revision: 7, rows: [["a", "y"]], gone: ["b", "never"] });
  expect(table.rows).toEqual([{ node: "a", zone: "y" }]);
  table.apply({ type: "bookmark", revision: 8, at: 20 });
  expect([table.revision, table.atMs]).toEqual([8, 20]);
});

it("ViewTable keeps what it has until a table that began anew is whole", () => {
  const table = new ViewTable<{ readonly node: string }>();
  table.apply({ type: "table", revision: 1, columns, rows: [["a", "x"]], more: false });
  table.apply({ type: "table", revision: 2, columns, rows: [["b", "x"]], more: true });
  expect(table.rows.map(({ node }) => node)).toEqual(["a"]);
  table.apply({ type: "rows", revision: 2, rows: [["c", "x"]], gone: ["b"], more: false });
  expect(table.rows.map(({ node }) => node)).toEqual(["c"]);
});

it("ViewTable finds columns by their names, whatever else a later plane sends", () => {
  const table = new ViewTable<{ readonly node: string; readonly zone: string }>();
  const later = ["node", "new", "zone"];
  table.apply({ type: "table", revision: 1, columns: later, rows: [["a", 1, "x"]], more: false });
  expect(table.rows).toMatchObject([{ node: "a", zone: "x" }]);
});
