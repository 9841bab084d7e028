import { describe, expect, it } from "vitest";
import { testTitles } from "./test-titles.ts";

const titles = (source: string): string[] => testTitles(source).map((title) => title.text);

describe("testTitles()", () => {
  it.each([
    ['it("a [AB1]", () => {});', "a [AB1]"],
    ["test('a', f);", "a"],
    ["describe(`a`, f);", "a"],
    ['it.concurrent("a", f);', "a"],
    ['it(\n  "a",\n  f,\n);', "a"],
    ['it.each([["(x", 1]])("a %s", f);', "a %s"],
    ['test.prop([fc.string({ maxLength: 3 }), f("")])("a", g);', "a"],
    ['const rows = [{ title: "a", x: 1 }];', "a"],
  ])("reads the title of: %s", (source, title) => {
    expect(titles(source)).toEqual([title]);
  });

  it.each([
    '// it("a", f);',
    "const example = 'it(\"a\", f);';",
    'submit("a");',
    'visit.it("a");',
    "it(name, f);",
    'expect("a [AB1]").toBe(x);',
  ])("reads no title in: %s", (source) => {
    expect(titles(source)).toEqual([]);
  });

  it("keeps the order and the lines", () => {
    expect(testTitles('describe("a", () => {\n  it("b", f);\n});')).toEqual([
      { text: "a", line: 1 },
      { text: "b", line: 2 },
    ]);
  });
});
