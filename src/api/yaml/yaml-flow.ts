/** Lists and maps in brackets: JSON, with fewer quotes. */
import type { YamlCursor } from "./yaml-cursor.ts";
import { newMap, type YamlMap } from "./yaml-map.ts";
import {
  readQuoted,
  refuseIndicator,
  resolvePlain,
  trimmedEnd,
  type YamlScalar,
} from "./yaml-scalar.ts";

const FLOW = new Set([",", "[", "]", "{", "}"]);
const FLOW_END: ReadonlySet<string> = new Set([",", "}"]);

/** The cursor stands on the opening bracket, and behind the closing one afterwards. */
export function readFlow(cursor: YamlCursor, depth: number, duplicates: string[]): unknown {
  cursor.begin(depth);
  const isList = cursor.char === "[";
  const closing = isList ? "]" : "}";
  cursor.move(1);
  const list: unknown[] = [];
  const map = newMap(cursor, duplicates);
  for (;;) {
    skip(cursor);
    if (cursor.char === closing) break;
    if (isList) list.push(readItem(cursor, depth, duplicates));
    else readPair(cursor, { depth, duplicates, map });
    skip(cursor);
    if (cursor.char === ",") cursor.move(1);
    else if (cursor.char !== closing) {
      throw cursor.wrong(`a comma or ${closing} is missing, or a key has no braces around it`);
    }
  }
  cursor.move(1);
  return isList ? list : map.value;
}

function readPair(
  cursor: YamlCursor,
  of: { readonly depth: number; readonly duplicates: string[]; readonly map: YamlMap },
): void {
  if (cursor.char === "[" || cursor.char === "{") {
    throw cursor.wrong("only text keys are supported");
  }
  const { line } = cursor;
  const isQuoted = cursor.char === '"' || cursor.char === "'";
  cursor.begin(of.depth);
  const key = isQuoted ? readQuoted(cursor) : readPlain(cursor);
  skip(cursor);
  let value: unknown = null;
  if (cursor.char === ":" && (isQuoted || endsPlain(cursor, cursor.at))) {
    cursor.move(1);
    skip(cursor);
    const isEmpty = FLOW_END.has(cursor.char ?? "");
    if (!isEmpty) value = readItem(cursor, of.depth, of.duplicates);
  }
  of.map.set(key, value, line);
}

function readItem(cursor: YamlCursor, depth: number, duplicates: string[]): unknown {
  const { char } = cursor;
  if (char === undefined) throw cursor.wrong("a bracket is not closed");
  if (char === "[" || char === "{") return readFlow(cursor, depth + 1, duplicates);
  cursor.begin(depth);
  if (char === '"' || char === "'") return readQuoted(cursor);
  return readPlain(cursor);
}

/** Up to the next comma, bracket, colon or comment; line breaks are spaces. */
function readPlain(cursor: YamlCursor): YamlScalar {
  refuseIndicator(cursor);
  const isBad = ["#", "|", ">"].includes(cursor.char ?? "") || cursor.isAlone("-");
  if (isBad || FLOW.has(cursor.char ?? "") || endsPlain(cursor, cursor.at)) {
    throw cursor.wrong("a value is missing, or needs quotes");
  }
  const parts: string[] = [];
  for (;;) {
    const from = cursor.at;
    let { at } = cursor;
    while (at < cursor.text.length && cursor.text[at] !== "\n" && !endsPlain(cursor, at)) at += 1;
    cursor.move(at - from);
    parts.push(trimmedEnd(cursor.text.slice(from, at)));
    if (cursor.char !== "\n") break;
    let breaks = 0;
    while (cursor.char === "\n") {
      breaks += 1;
      cursor.newLine();
      cursor.skipSpaces();
    }
    if (cursor.isDone || cursor.char === "#" || endsPlain(cursor, cursor.at)) break;
    parts.push(breaks === 1 ? " " : "\n".repeat(breaks - 1));
  }
  return resolvePlain(cursor, parts.join(""));
}

/** Whether a plain scalar ends before this character. */
function endsPlain({ text }: YamlCursor, at: number): boolean {
  const char = text[at] ?? "";
  if (FLOW.has(char)) return true;
  if (char === ":") {
    const next = text[at + 1];
    return next === undefined || /\s/.test(next) || FLOW.has(next);
  }
  return char === "#" && /\s/.test(text[at - 1] ?? "");
}

/** Spaces, line breaks and comments. */
function skip(cursor: YamlCursor): void {
  for (;;) {
    cursor.skipSpaces();
    cursor.skipComment();
    if (cursor.char !== "\n") return;
    cursor.newLine();
    if (cursor.isMarker("---") || cursor.isMarker("...")) {
      throw cursor.wrong("the document ends inside brackets");
    }
  }
}
