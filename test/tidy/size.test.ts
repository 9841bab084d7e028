import { expect, it } from "vitest";
import { findLongFiles } from "./size.ts";

const scan = (path: string, lines: number): string[] =>
  findLongFiles([{ path, text: "x;\n".repeat(lines) }]);

it("findLongFiles() finds a source past 400 lines and a test past 600", () => {
  expect(scan("src/core/x.ts", 400)).toEqual([]);
  expect(scan("src/core/x.ts", 401)).toHaveLength(1);
  expect(scan("src/core/x.test.ts", 600)).toEqual([]);
  expect(scan("src/core/x.test.ts", 601)).toHaveLength(1);
  expect(scan("scripts/x.mjs", 401)).toHaveLength(1);
});

it("findLongFiles() leaves documents alone", () => {
  expect(scan("docs/SPEC.md", 4000)).toEqual([]);
});
