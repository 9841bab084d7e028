import { readdirSync, readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseDocument, stringify } from "yaml";
import { BODY } from "../http/body-limits.ts";
import { readYaml } from "./read-yaml.ts";
import { STEPS_PER_CHARACTER } from "./yaml-cursor.ts";

const read = (text: string): unknown => readYaml(text, BODY).value;

function readOrRefused(text: string): { readonly error: string; readonly steps: number } {
  try {
    return { error: "none", steps: readYaml(text, BODY).steps };
  } catch (error) {
    return { error: String(error), steps: 0 };
  }
}

describe("readYaml()", () => {
  it.each([
    { text: "a: 1\nb:\n- x\n- y: 2\n  z: [1, {q: r}]\nc:\n  - - 1\n    - 2\n  -\n" },
    { text: "# c\n---\na: |\n  one\n   two\n\n  three\n\n\nb: >-\n  one\n  two\n\n  three\n" },
    { text: "a: >+\n  x\n\n    more\n  y\n\n\nb: |2-\n    in\n  out\nc: |\n" },
    { text: "a: one\n  two\n\n  three # c\nb: 'it''s\n  folded'\nc: \"x\\ty\\u0041 \\\n  z\"\n" },
    {
      text: 'a: ~\nb: true\nc: 0x1F\nd: 1e3\ne: "1"\nf: .5\ng: -0\nh: 0o17\ni: no\n1: x\n"k": y\n',
    },
    { text: "a: http://x:80/#y\nb: a#b\nc: -1\nd: - \n".replace("d: - \n", "d: -x\n") },
    { text: '{"a": [1, 2.5, null, "x\\n"], "b": {}, c: [], d: , e}' },
    { text: "a: {x: 1, # c\n  y: two\n  words}\nb: [\n]\n" },
    { text: "- 1\n-\n  - 2\n- |\n  x\n- a: 1\n  b:\n  - c\n...\n" },
    { text: "a:\r\n  b: 1\r\n  c: |\r\n    x\r\n" },
    { text: "just text\nover lines\n" },
    { text: "a: 'x' # c\n'b': \"y\"\n? x\n".replace("? x\n", "") },
    { text: "" },
    { text: "a:\n\n  # c\n\n  b: 1\n# d\n  c: 2\n" },
    { text: "key with spaces: v\nother: 'a: b'\n" },
    { text: "a: |+\n\n\nb: 1\n" },
  ])("[IN3] reads what the YAML library reads: $text", ({ text }) => {
    const document = parseDocument(text);
    expect(document.errors).toEqual([]);
    expect(read(text)).toEqual(document.toJS());
  });

  it("[IN3] reads every example of the project as the YAML library does", () => {
    const files = readdirSync("examples", { recursive: true, encoding: "utf8" });
    let documents = 0;
    for (const file of files.filter((name) => name.endsWith(".yaml"))) {
      const text = readFileSync(`examples/${file}`, "utf8");
      for (const part of text.split(/^---.*\n/m)) {
        expect({ file, value: read(part) }).toEqual({ file, value: parseDocument(part).toJS() });
        documents += 1;
      }
    }
    expect(documents).toBeGreaterThan(20);
  });

  it("property: [IN3] any JSON value that the library writes as YAML is read back", () => {
    const value = fc.jsonValue({ maxDepth: 5 });
    const options = [
      {},
      { collectionStyle: "flow" },
      { lineWidth: 20 },
      { indentSeq: false },
    ] as const;
    fc.assert(
      fc.property(value, fc.constantFrom(...options), (json, option) => {
        const plain: unknown = JSON.parse(JSON.stringify(json));
        // Two keys are refused whatever they hold; the library writes a merge key without quotes.
        fc.pre(!/"(__proto__|<<)":/.test(JSON.stringify(json)));
        expect(read(stringify(plain, { ...option, aliasDuplicateObjects: false }))).toEqual(plain);
      }),
      { numRuns: 100 },
    );
  });

  it.each([
    { title: "[IN3] anchors", text: "a: &x 1\n", why: "anchors" },
    { title: "[IN3] aliases", text: "a: *x\n", why: "aliases" },
    { title: "[IN3] tags", text: "a: !!str 1\n", why: "tags" },
    { title: "[IN3] merge keys", text: "a:\n  <<: {b: 1}\n", why: "merge keys" },
    { title: "[IN3] complex keys", text: "? a\n: b\n", why: "text key" },
    { title: "[IN3] keys in brackets", text: "{a: 1}: b\n", why: "text key" },
    { title: "[IN3] directives", text: "%YAML 1.2\n---\na: 1\n", why: "directives" },
    { title: "[IN3] two documents", text: "a: 1\n---\nb: 2\n", why: "more than one document" },
    { title: "[IN3] __proto__", text: "__proto__: {a: 1}\n", why: "__proto__" },
    { title: "[IN3] a tab as indentation", text: "a:\n\tb: 1\n", why: "tab" },
    { title: "[IN3] two keys on a line", text: "a: b: c\n", why: "second key" },
    { title: "[IN3] a list on its key's line", text: "a: - b\n", why: "below its key" },
    { title: "[IN3] lines indented between", text: "a:\n    b: 1\n  c: 2\n", why: "indentation" },
    { title: "[IN3] an open quote", text: 'a: "b\n', why: "not closed" },
    { title: "[IN3] an open bracket", text: "a: [b\nc: d", why: "missing" },
    { title: "[IN3] a wrong escape", text: '"\\q"', why: "escape" },
    { title: "[IN3] infinity", text: "a: .inf\n", why: "JSON" },
    { title: "[IN3] a control character", text: "a: \u001b[31m\n", why: "control" },
    { title: "[IN3] a value behind a value", text: "a: 'b' c\n", why: "same line" },
    { title: "[IN3] depth in brackets", text: "[".repeat(500), why: "deeper" },
    { title: "[IN3] depth in dashes", text: "- ".repeat(500), why: "deeper" },
    { title: "[IN3] a long key", text: `${"k".repeat(5_000)}: 1\n`, why: "longer than" },
    { title: "[IN3] many values", text: "-\n".repeat(BODY.values + 1), why: "values" },
  ])("$title is refused with its place", ({ text, why }) => {
    expect(() => read(text)).toThrow(why);
    expect(() => read(text)).toThrow(/line \d+, column \d+/);
  });

  it("[IN3] a field that is given twice is told by its line, and the last counts", () => {
    const { value, duplicates } = readYaml("a: 1\nb: {c: 1, c: 2}\na: 2\n", BODY);
    expect({ value, duplicates }).toEqual({
      value: { a: 2, b: { c: 2 } },
      duplicates: ["line 2", "line 3"],
    });
  });

  it("property: [IN2] no text takes more steps than a constant for each character", () => {
    const part = fc.constantFrom(
      ..."{}[]-?:,#&*!|>'\"%@` \n\t".split(""),
      ..."- ,: ,? ,a: ,\n\n,\n  ,\n- ,--- ,...\n,{a: ,[1,x # c\n,\\u,>-\n".split(","),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), fc.nat(40), (parts, times) => {
        const text = parts.join("").repeat(times);
        const { error, steps } = readOrRefused(text);
        expect(steps).toBeLessThanOrEqual(1_024 + STEPS_PER_CHARACTER * text.length);
        expect(error).toMatch(/^(?:none|YamlError: line )/);
        expect(error).not.toContain("too long to read");
      }),
      { numRuns: 200 },
    );
  });
});
