import { describe, expect, it } from "vitest";
import { findShortcuts } from "./shortcuts.ts";

const scan = (text: string): string[] => findShortcuts([{ path: "src/core/x.test.ts", text }]);

describe("findShortcuts()", () => {
  it.each([
    'it.skip("x", f);',
    'it.only("x", f);',
    'test.todo("x");',
    'describe.only("x", f);',
    'it.concurrent.skip("x", f);',
    'it.skip.each([])("x", f);',
    "const x = y as any;",
    "const x = <any>y;",
    "// @ts-ignore\nx();",
    "/* @ts-nocheck */",
    '/// <reference types="node" />',
  ])("finds the shortcut in: %s", (text) => {
    expect(scan(text)).toHaveLength(1);
  });

  it.each([
    'it("does not skip", f);',
    "reader.skip(3);",
    'const text = "it.only and as any and @ts-ignore";',
    "// As any reader knows, it.skip is banned.",
  ])("finds nothing in: %s", (text) => {
    expect(scan(text)).toEqual([]);
  });
});
