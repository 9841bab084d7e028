import { expect, test } from "vitest";
import { ViewFold } from "./view-fold.ts";
import type { ViewMessage, ViewRow } from "./view-message.ts";

function aFold() {
  let rows = new Map<string, ViewRow>();
  const fold = new ViewFold({
    put: (key, row) => void rows.set(key, row),
    drop: (key) => void rows.delete(key),
    replaceAll: (all) => {
      rows = all;
    },
  });
  return { fold, shown: () => [...rows.values()] };
}

const table = (rows: readonly ViewRow[], more: boolean): ViewMessage => ({
  type: "table",
  view: "fleet",
  revision: 7,
  columns: ["name", "health"],
  rows,
  more,
});

test("a table in several messages is shown when the last of them is here", () => {
  const { fold, shown } = aFold();
  fold.take(table([["a", "ready"]], true));
  expect([fold.isComplete, shown()]).toEqual([false, []]);
  fold.take({ type: "rows", rows: [["b", "ready"]], more: true });
  expect(shown()).toEqual([]);
  fold.take({ type: "rows", rows: [["c", "ready"]], more: false });
  expect([fold.isComplete, fold.columns]).toEqual([true, ["name", "health"]]);
  expect(shown()).toEqual([
    ["a", "ready"],
    ["b", "ready"],
    ["c", "ready"],
  ]);
});

test("rows that change take the place of those before, and those that are gone go", () => {
  const { fold, shown } = aFold();
  fold.take(
    table(
      [
        ["a", "ready"],
        ["b", "ready"],
      ],
      false,
    ),
  );
  fold.take({
    type: "rows",
    revision: 9,
    rows: [
      ["b", "fenced"],
      ["c", "ready"],
    ],
    gone: ["a"],
  });
  expect(shown()).toEqual([
    ["b", "fenced"],
    ["c", "ready"],
  ]);
  fold.take({ type: "bookmark", revision: 12 });
  expect(fold.revision).toBe(12);
});

test("a table that comes anew leaves what is shown alone until it is complete", () => {
  const { fold, shown } = aFold();
  fold.take(table([["a", "ready"]], false));
  fold.take(table([["b", "ready"]], true));
  expect([fold.isComplete, shown()]).toEqual([false, [["a", "ready"]]]);
  fold.take({ type: "rows", rows: [], more: false });
  expect(shown()).toEqual([["b", "ready"]]);
});

test("a message of a kind that is not known changes nothing", () => {
  const { fold, shown } = aFold();
  fold.take(table([["a", "ready"]], false));
  fold.take({ type: "news" } as unknown as ViewMessage);
  expect(shown()).toEqual([["a", "ready"]]);
});
