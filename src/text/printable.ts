/**
 * Text that others have written, such as a name, a reason or the last words of a process, made safe
 * to look at. Characters that move a cursor, change colours, turn the direction of writing or
 * cannot be seen are shown as `\u001b`. That form means the same character inside a string of JSON
 * and inside a double-quoted string of YAML.
 */

/**
 * Control characters; formats such as bidirectional overrides, zero-width blanks and tags;
 * separators of lines and paragraphs; halves of a surrogate pair; letters that are drawn as
 * nothing.
 */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u115F\u1160\u2800\u3164\uFFA0]/gu;
const BREAKS = /[\t\n\r\u2028\u2029]+/g;

const ESC = "\u001B";
/** Colours and weights, and nothing else that a terminal obeys. */
const COLOUR = new RegExp(`${ESC}\\[[\\d;:]{0,32}m`, "g");

/** On one line: a cell of a table, a word of a sentence. */
export const printable = (text: string): string =>
  text.replaceAll(BREAKS, " ").replaceAll(UNSAFE, shown);

/** Lines and tabs stay. */
export const printableLines = (text: string): string =>
  text.replaceAll(UNSAFE, (letter) =>
    letter === "\n" || letter === "\t" ? letter : shown(letter),
  );

/** What a process wrote, for somebody who looks at it: lines, tabs and colours stay. */
export function printableLog(text: string): string {
  const lines = text.replaceAll("\r\n", "\n");
  let safe = "";
  let at = 0;
  for (const { 0: colour, index } of lines.matchAll(COLOUR)) {
    safe += printableLines(lines.slice(at, index)) + colour;
    at = index + colour.length;
  }
  return safe + printableLines(lines.slice(at));
}

export const isPrintable = (text: string): boolean => text.search(UNSAFE) === -1;

const shown = (letter: string): string =>
  Array.from({ length: letter.length }, (_, at) => unit(letter.charCodeAt(at))).join("");

const unit = (code: number): string => `\\u${code.toString(16).padStart(4, "0")}`;
