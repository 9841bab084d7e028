import { expect, test } from "vitest";
import { terminalText } from "../text/terminal-text.ts";
import { PrefixedLines } from "./prefixed-lines.ts";

function written(hasColour: boolean): { readonly lines: PrefixedLines; text: () => string } {
  let all = "";
  const lines = new PrefixedLines((text) => void (all += terminalText(text, true)), { hasColour });
  return { lines, text: () => all };
}

test("lines of two replicas come whole, each behind the name of its replica", () => {
  const { lines, text } = written(false);
  const [first, second] = [lines.open("api.1.0"), lines.open("api.1.1")];
  first.add("one\ntw");
  second.add("eins\n");
  first.add("o\nlast");
  first.end();
  second.end();
  expect(text()).toBe("[api.1.0] one\n[api.1.1] eins\n[api.1.0] two\n[api.1.0] last\n");
});

const colourOf = (line = ""): string => line.slice(0, line.indexOf("m"));

test("a replica keeps its colour, and the next one has another", () => {
  const { lines, text } = written(true);
  lines.open("a").add("1\n");
  lines.open("b").add("2\n");
  lines.open("a").add("3\n");
  const [one, two, three] = text().split("\n");
  expect(colourOf(one)).toBe(colourOf(three));
  expect(colourOf(one)).not.toBe(colourOf(two));
});
