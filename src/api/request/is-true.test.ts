import { describe, expect, it } from "vitest";
import { isTrue } from "./is-true.ts";

describe("isTrue()", () => {
  it.each([
    ["true", true],
    ["True", true],
    ["1", true],
    ["", true],
    ["yes", true],
    ["0", false],
    ["false", false],
    ["False", false],
    [undefined, false],
  ])("reads %j as Kubernetes does", (text, expected) => {
    expect(isTrue(text)).toBe(expected);
  });
});
