import { describe, expect, it } from "vitest";
import { didYouMean, nearest } from "./nearest.ts";

describe("nearest()", () => {
  it.each([
    ["replcas", "replicas"],
    ["cpus", "cpu"],
    ["Memory", "memory"],
    ["cup", "cpu"],
  ])("finds for %s what was meant", (word, meant) => {
    expect(nearest(word, ["cpu", "memory", "replicas"])).toBe(meant);
  });

  it("is silent about a word that resembles none", () => {
    expect(didYouMean("banana", ["cpu", "memory", "replicas"])).toBe("");
    expect(didYouMean("foo", ["no", "top", "node"])).toBe("");
  });
});
