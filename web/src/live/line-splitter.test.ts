import * as fc from "fast-check";
import { expect, test } from "vitest";
import { LineSplitter } from "./line-splitter.ts";

test("a line that comes in pieces is one line, and the unfinished one waits", () => {
  const splitter = new LineSplitter();
  expect(splitter.push('{"a"')).toEqual([]);
  expect(splitter.push(":1")).toEqual([]);
  expect(splitter.push('}\n{"b":2}\n\n{"c"')).toEqual(['{"a":1}', '{"b":2}']);
  expect(splitter.push(":3}\n")).toEqual(['{"c":3}']);
});

test("property: however a text is cut, its lines are the same", () => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.array(fc.nat(30)), (lines, cuts) => {
      const text = lines.map((line) => `${line}\n`).join("");
      const splitter = new LineSplitter();
      const found: string[] = [];
      let rest = text;
      for (const cut of cuts) {
        found.push(...splitter.push(rest.slice(0, cut)));
        rest = rest.slice(cut);
      }
      found.push(...splitter.push(rest));
      expect(found).toEqual(text.split("\n").filter((line) => line !== ""));
    }),
  );
});
