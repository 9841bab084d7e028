import { expect, test } from "vitest";
import { shellWords } from "./shell-words.ts";

test.each([
  ["node server.js", ["node", "server.js"]],
  [`  sh -c 'echo "hi  there"'  `, ["sh", "-c", 'echo "hi  there"']],
  [`a"b c"'d e'\\ f ""`, ["ab cd e f", ""]],
  ["", []],
])("a command line is split as a shell splits it: %s", (text, words) => {
  expect(shellWords(text)).toEqual(words);
});

test("a quote without its end is refused", () => {
  expect(() => shellWords("echo 'hi")).toThrow("a quote without its end");
});
