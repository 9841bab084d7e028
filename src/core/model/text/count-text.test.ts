import { expect, test } from "vitest";
import { countAre, countText } from "./count-text.ts";

test("one of something is written in the singular, none and several in the plural", () => {
  expect([0, 1, 2].map((count) => countText(count, "replica"))).toEqual([
    "0 replicas",
    "1 replica",
    "2 replicas",
  ]);
  expect([1, 2].map((count) => countAre(count, "replica"))).toEqual([
    "1 replica is",
    "2 replicas are",
  ]);
});
