import { effect } from "@preact/signals";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type RowChange, RowShelf } from "./row-shelf.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("many changes are told as one, with the keys to look at again", () => {
  const shelf = new RowShelf<string>();
  const sizes: number[] = [];
  const told: RowChange[] = [];
  const stop = effect(() => void sizes.push(shelf.all.size));
  shelf.listen((change) => void told.push(change));
  shelf.replaceAll(new Map([["a", "1"]]));
  vi.runAllTimers();
  shelf.put("b", "1");
  shelf.put("b", "2");
  shelf.put("c", "1");
  shelf.drop("c");
  shelf.drop("never there");
  vi.runAllTimers();
  stop();
  expect(sizes).toEqual([0, 1, 2]);
  expect(told).toEqual([
    { isAll: true, changed: new Set(), gone: new Set() },
    { isAll: false, changed: new Set(["b"]), gone: new Set(["c"]) },
  ]);
  expect([...shelf.peek()]).toEqual([
    ["a", "1"],
    ["b", "2"],
  ]);
});
