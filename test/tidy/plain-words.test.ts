import { expect, it } from "vitest";
import {
  findHiddenSubjects,
  findHiddenSubjectsInComments,
  findLongComments,
  findVagueTitles,
  hiddenSubjects,
  longCommentLines,
} from "./plain-words.ts";

const file = (text: string, path = "src/host/x.ts"): { path: string; text: string } => ({
  path,
  text,
});

it("hiddenSubjects() finds clauses that do not name who or what", () => {
  for (const text of [
    "waits for whoever put it there",
    "Nobody leads.",
    "it goes before everybody else",
    "What is older than 7 was compacted.",
    "and what was lent is taken back",
  ]) {
    expect(hiddenSubjects(text)).toHaveLength(1);
  }
  for (const text of ["Show what is stored.", "What is it? It is a node.", "no plane leads"]) {
    expect(hiddenSubjects(text)).toEqual([]);
  }
});

it("findHiddenSubjects() looks at strings, templates and the text of a page", () => {
  expect(findHiddenSubjects([file('f("nobody waits");')])).toHaveLength(1);
  expect(findHiddenSubjects([file("f(`${n} of whoever waits`);")])).toHaveLength(1);
  expect(findHiddenSubjects([file("<p>\n  Nobody waits\n</p>;", "web/src/x.tsx")])).toEqual([
    'web/src/x.tsx:2 says "Nobody": name the actor or the thing.',
  ]);
});

it("findHiddenSubjects() leaves values, comments, names and tests alone", () => {
  expect(findHiddenSubjects([file('x = "nobody";')])).toEqual([]);
  expect(findHiddenSubjects([file('x = "nobody-yet";')])).toEqual([]);
  expect(findHiddenSubjects([file("// Nobody waits.\nconst nobody = 1;")])).toEqual([]);
  expect(findHiddenSubjects([file('f("nobody waits");', "src/host/x.test.ts")])).toEqual([]);
  expect(findHiddenSubjects([file('f("nobody waits");', "test/x.ts")])).toEqual([]);
});

it("findHiddenSubjectsInComments() finds them in comments, also over two lines", () => {
  const files = [file("/**\n * What is left\n * is freed.\n */\n"), file("// nobody\n")];
  expect(findHiddenSubjectsInComments(files)).toEqual([
    'src/host/x.ts:2 says "What is left is": name the actor or the thing.',
    'src/host/x.ts:1 says "nobody": name the actor or the thing.',
  ]);
  expect(findHiddenSubjectsInComments([file('f("nobody waits");')])).toEqual([]);
});

it("findVagueTitles() finds actors without a name in the titles of tests", () => {
  const text = 'f("nobody waits");\nit("asks nobody", () => f("anybody"));\n';
  expect(findVagueTitles([file(text, "src/host/x.test.ts")])).toEqual([
    'src/host/x.test.ts:2 has "nobody" in a title: name the actor.',
  ]);
  expect(findVagueTitles([file(text)])).toEqual([]);
});

it("longCommentLines() finds comments past column 100, not code, directives or addresses", () => {
  const long = "word ".repeat(25);
  expect(longCommentLines(`// ${long}\n/**\n * ${long}\n */\nf(); // ${long}`)).toEqual([1, 3, 5]);
  expect(longCommentLines(`f("${long}");`)).toEqual([]);
  expect(longCommentLines(`// oxlint-disable-next-line ${long}`)).toEqual([]);
  expect(longCommentLines(`// See https://example.com/${"x".repeat(99)}`)).toEqual([]);
  expect(findLongComments([file(`// ${long}`)])).toHaveLength(1);
});
