/** Texts, numbers and other single values of YAML, in YAML 1.2's core schema. */
import type { YamlCursor } from "./yaml-cursor.ts";

const INTEGER = /^[-+]?[0-9]+$/;
const BASED = /^0(?:o[0-7]+|x[0-9a-fA-F]+)$/;
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const NOT_JSON = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
const WORDS: ReadonlyMap<string, null | boolean> = new Map<string, null | boolean>([
  ...["", "~", "null", "Null", "NULL"].map((word) => [word, null] as const),
  ...["true", "True", "TRUE"].map((word) => [word, true] as const),
  ...["false", "False", "FALSE"].map((word) => [word, false] as const),
]);

/** What is a key, or a value without others in it. */
export type YamlScalar = string | number | boolean | null;

/** What a scalar without quotes means. */
export function resolvePlain(cursor: YamlCursor, text: string): YamlScalar {
  const word = WORDS.get(text);
  if (word !== undefined) return word;
  if (INTEGER.test(text) || BASED.test(text) || FLOAT.test(text)) return Number(text);
  if (NOT_JSON.test(text)) throw cursor.wrong(`${text} is not a number that JSON has`);
  return text;
}

/** What begins no plain scalar, and why the server does not read it. */
const REFUSED: ReadonlyMap<string, string> = new Map([
  ["&", "anchors are not supported: write the value out"],
  ["*", "aliases are not supported: write the value out"],
  ["!", "tags are not supported: omit the tag"],
  ["%", "text that begins with % needs quotes, and directives are not supported"],
  ["@", "text that begins with @ needs quotes"],
  ["`", "a text that begins with ` needs quotes"],
]);

export function refuseIndicator(cursor: YamlCursor): void {
  const why = REFUSED.get(cursor.char ?? "");
  if (why !== undefined) throw cursor.wrong(why);
  if (cursor.isAlone("?")) throw cursor.wrong("only text keys are supported");
}

const ESCAPES: Readonly<Record<string, string>> = {
  0: "\0",
  a: "\x07",
  b: "\b",
  t: "\t",
  "\t": "\t",
  n: "\n",
  v: "\v",
  f: "\f",
  r: "\r",
  e: "\x1b",
  " ": " ",
  '"': '"',
  "/": "/",
  "\\": "\\",
  N: "\x85",
  _: "\xa0",
  L: "\u2028",
  P: "\u2029",
};
const HEX_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** A text in quotes, which may go on over several lines. The cursor stands on the opening quote. */
export function readQuoted(cursor: YamlCursor): string {
  const quote = cursor.char;
  cursor.move(1);
  const parts: string[] = [];
  for (;;) {
    const { char } = cursor;
    if (char === undefined) throw cursor.wrong(`the quote ${quote} is not closed`);
    if (char === quote) {
      cursor.move(1);
      if (quote === '"' || cursor.char !== "'") return parts.join("");
      parts.push("'");
      cursor.move(1);
    } else if (char === "\n") parts.push(folded(cursor));
    else if (char === "\\" && quote === '"') parts.push(escaped(cursor));
    else parts.push(stretch(cursor, quote === '"' ? DOUBLE_STOP : SINGLE_STOP));
  }
}

const DOUBLE_STOP = /["\\\n]/g;
const SINGLE_STOP = /['\n]/g;

/**
 * Up to the next character that means something; spaces before the end of a line are folded away
 * with it.
 */
function stretch(cursor: YamlCursor, stop: RegExp): string {
  stop.lastIndex = cursor.at;
  const end = stop.exec(cursor.text)?.index ?? cursor.text.length;
  const text = cursor.text.slice(cursor.at, end);
  cursor.move(end - cursor.at);
  return cursor.char === "\n" ? trimmedEnd(text) : text;
}

/** One line break is a space; each empty line behind it is a line break. */
function folded(cursor: YamlCursor): string {
  let breaks = 0;
  while (cursor.char === "\n") {
    breaks += 1;
    cursor.newLine();
    if (cursor.isMarker("---") || cursor.isMarker("...")) {
      throw cursor.wrong("the document ends inside quotes");
    }
    cursor.skipSpaces();
  }
  return breaks === 1 ? " " : "\n".repeat(breaks - 1);
}

function escaped(cursor: YamlCursor): string {
  cursor.move(1);
  const char = cursor.char ?? "";
  if (char === "\n") {
    const text = folded(cursor);
    return text === " " ? "" : text;
  }
  cursor.move(1);
  const simple = Object.hasOwn(ESCAPES, char) ? ESCAPES[char] : undefined;
  if (simple !== undefined) return simple;
  const digits = Object.hasOwn(HEX_DIGITS, char) ? HEX_DIGITS[char] : undefined;
  const hex = cursor.text.slice(cursor.at, cursor.at + (digits ?? 0));
  const code = /^[0-9a-fA-F]+$/.test(hex) ? Number.parseInt(hex, 16) : Number.NaN;
  if (hex.length !== digits || !(code <= 0x10_ff_ff)) {
    throw cursor.wrong("unknown escape after a backslash");
  }
  cursor.move(hex.length);
  return String.fromCodePoint(code);
}

/**
 * Spaces and tabs only, and without a regular expression: those search the whole text for each run
 * of them.
 */
export function trimmedEnd(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === " " || text[end - 1] === "\t")) end -= 1;
  return text.slice(0, end);
}
