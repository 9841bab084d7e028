import { effect } from "@preact/signals";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type RowChange, RowStore } from "./row-store.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("many changes are told as one, with the keys to look at again", () => {
  const store = new RowStore<string>();
  const sizes: number[] = [];
  const told: RowChange[] = [];
  const stop = effect(() => void sizes.push(store.all.size));
  store.listen((change) => void told.push(change));
  store.replaceAll(new Map([["a", "1"]]));
  vi.runAllTimers();
  store.put("b", "1");
  store.put("b", "2");
  store.put("c", "1");
  store.drop("c");
  store.drop("never there");
  vi.runAllTimers();
  stop();
  expect(sizes).toEqual([0, 1, 2]);
  expect(told).toEqual([
    { isAll: true, changed: new Set(), gone: new Set() },
    { isAll: false, changed: new Set(["b"]), gone: new Set(["c"]) },
  ]);
  expect([...store.peek()]).toEqual([
    ["a", "1"],
    ["b", "2"],
  ]);
});
