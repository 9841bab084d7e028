import { expect, test } from "vitest";
import { KeySequence } from "./key-sequence.ts";

const BINDINGS = ["g f", "g w", "j", "w", "?"];

const press = (keys: string, everyMs = 100): (string | undefined)[] => {
  const sequence = new KeySequence();
  return keys.split(" ").map((key, at) => sequence.press(key, at * everyMs, BINDINGS));
};

test("keys one after the other are one binding, and single keys another", () => {
  expect(press("g f j g w")).toEqual([undefined, "g f", "j", undefined, "g w"]);
  expect(press("w ? x")).toEqual(["w", "?", undefined]);
});

test("a key that continues nothing begins anew", () => {
  expect(press("g j")).toEqual([undefined, "j"]);
  expect(press("g g f")).toEqual([undefined, undefined, "g f"]);
});

test("what was begun is forgotten after a while", () => {
  expect(press("g w", 5_000)).toEqual([undefined, "w"]);
});
