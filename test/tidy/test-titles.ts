/**
 * The titles of the tests in a file: the first argument of it(), test() and describe(), also after .each(…),
 * .for(…) and .prop(…), and the `title` of the rows of a table.
 */
import { codeOnly, withoutComments } from "./blank.ts";
import { lineOf } from "./source-file.ts";

export interface TestTitle {
  readonly text: string;
  readonly line: number;
}

const CALL = /(?<![\w$.])(?:it|test|describe)((?:\.\w+)*)\s*(?=\()/g;
const TABLE_ROW = /(?<![\w$.])title\s*:\s*(?=["'`])/g;

/** Modifiers that take their own arguments before the call that holds the title. */
const CURRIED = /\.(?:each|for|prop|skipIf|runIf)$/;

export function testTitles(source: string): TestTitle[] {
  const code = codeOnly(source);
  const readable = withoutComments(source);
  const starts = [...code.matchAll(CALL)].map((match) => {
    const opening = match.index + match[0].length;
    return firstArgument(code, CURRIED.test(match[1] ?? "") ? afterGroup(code, opening) : opening);
  });
  const rows = [...code.matchAll(TABLE_ROW)].map((match) => match.index + match[0].length);
  return [...starts, ...rows]
    .toSorted((a, b) => a - b)
    .flatMap((at) => literalAt(code, readable, at));
}

function firstArgument(code: string, opening: number): number {
  let at = opening + 1;
  while (/\s/.test(code.charAt(at))) at += 1;
  return at;
}

/** The offset of the parenthesis that follows the group opened at `opening`. */
function afterGroup(code: string, opening: number): number {
  let depth = 0;
  let at = opening;
  do {
    if (code[at] === "(") depth += 1;
    if (code[at] === ")") depth -= 1;
    at += 1;
  } while (depth > 0 && at < code.length);
  return code.indexOf("(", at);
}

function literalAt(code: string, readable: string, at: number): TestTitle[] {
  const quote = code.charAt(at);
  if (!["'", '"', "`"].includes(quote)) return [];
  // What a string holds is blank in `code`, so the next quote there is the one that closes it.
  const end = code.indexOf(quote, at + 1);
  return [{ text: readable.slice(at + 1, end), line: lineOf(readable, at) }];
}
