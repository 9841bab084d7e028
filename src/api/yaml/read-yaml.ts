/**
 * Reads one document of YAML in one pass, as far as manifests use it: maps and lists, by
 * indentation or in brackets, plain, quoted and block texts, comments. What makes YAML expensive or
 * ambiguous is refused by name: anchors and aliases, tags, merge keys, keys that are no texts,
 * directives, several documents. The library that the command line reads its user's own files with
 * takes minutes for some texts of a few kilobytes; the server reads strangers' texts.
 */
import { readBlockScalar } from "./yaml-block-scalar.ts";
import { YamlCursor, type YamlBounds } from "./yaml-cursor.ts";
import { readFlow } from "./yaml-flow.ts";
import { newMap, type YamlMap } from "./yaml-map.ts";
import {
  readQuoted,
  refuseIndicator,
  resolvePlain,
  trimmedEnd,
  type YamlScalar,
} from "./yaml-scalar.ts";

export interface YamlDocument {
  readonly value: unknown;
  /** `line 3`, for each field that is given again there. */
  readonly duplicates: readonly string[];
  /** Characters examined. */
  readonly steps: number;
}

export function readYaml(text: string, bounds: YamlBounds): YamlDocument {
  const cursor = new YamlCursor(text.replace(/^\uFEFF/, "").replaceAll(/\r\n?/g, "\n"), bounds);
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  if (/[\0-\x08\x0B\x0C\x0E-\x1F\x7F]/.test(cursor.text)) {
    throw cursor.wrong("control characters must be escaped");
  }
  const reading = new Reading(cursor);
  return {
    value: reading.document(),
    duplicates: reading.duplicates,
    steps: cursor.work.spent,
  };
}

class Reading {
  readonly duplicates: string[] = [];
  readonly #cursor: YamlCursor;
  /** Whether the last line of a plain text did. */
  #endedInComment = false;

  constructor(cursor: YamlCursor) {
    this.#cursor = cursor;
  }

  document(): unknown {
    const cursor = this.#cursor;
    cursor.toContent();
    if (cursor.isMarker("---")) {
      cursor.move(3);
      cursor.toContent();
    }
    const isEmpty = cursor.isDone || cursor.isMarker("...");
    const value = isEmpty ? null : this.#node(-1, 1);
    cursor.toContent();
    if (cursor.isMarker("...")) {
      cursor.move(3);
      cursor.toContent();
    }
    if (cursor.isMarker("---")) throw cursor.wrong("there is more than one document");
    if (!cursor.isDone) throw cursor.wrong("the indentation does not match the lines above");
    return value;
  }

  /** What begins at the cursor; `parent` is how far what it belongs to is indented. */
  #node(parent: number, depth: number): unknown {
    const cursor = this.#cursor;
    if (cursor.isAlone("-")) return this.#list(depth);
    const { line, column } = cursor;
    const isPlain = !"|>[{\"'".includes(cursor.char ?? "");
    if (isPlain) {
      const end = this.#keyEnd();
      if (end === undefined) return this.#plain(parent, depth);
      return this.#map(column, depth, this.#plainKey(end));
    }
    const isBlock = cursor.char === "|" || cursor.char === ">";
    const value = this.#marked(parent, depth);
    if (isBlock) return value;
    cursor.skipSpaces();
    if (!cursor.isAlone(":")) {
      cursor.endLine();
      return value;
    }
    if (typeof value !== "string" || cursor.line !== line) {
      throw cursor.wrong("only plain text keys on one line are supported");
    }
    return this.#map(column, depth, value);
  }

  /** A value whose first character says how it ends. */
  #marked(parent: number, depth: number): unknown {
    const cursor = this.#cursor;
    const { char } = cursor;
    if (char === "[" || char === "{") return readFlow(cursor, depth, this.duplicates);
    cursor.begin(depth);
    return char === "|" || char === ">" ? readBlockScalar(cursor, parent) : readQuoted(cursor);
  }

  #list(depth: number): unknown[] {
    const cursor = this.#cursor;
    const { column } = cursor;
    cursor.begin(depth);
    const list: unknown[] = [];
    while (!cursor.isDone && cursor.column === column && cursor.isAlone("-")) {
      cursor.move(1);
      cursor.skipSpaces();
      if (cursor.text[cursor.at - 1] === "\t" && !cursor.isAtLineEnd) {
        throw cursor.wrong("a tab stands between a dash and its value; use a space");
      }
      cursor.skipComment();
      list.push(cursor.isAtLineEnd ? this.#below(column, depth) : this.#node(column, depth + 1));
      cursor.toContent();
    }
    if (!cursor.isDone && cursor.column > column) throw this.#misplaced();
    return list;
  }

  /** `first` is the first key; the cursor stands before its colon. */
  #map(column: number, depth: number, first: YamlScalar): unknown {
    const cursor = this.#cursor;
    cursor.begin(depth);
    const map = newMap(cursor, this.duplicates);
    this.#entry(map, first, column, depth);
    for (;;) {
      cursor.toContent();
      const isOver = cursor.isDone || cursor.isMarker("---") || cursor.isMarker("...");
      if (isOver || cursor.column < column) return map.value;
      if (cursor.column > column || cursor.isAlone("-")) throw this.#misplaced();
      this.#entry(map, this.#key(), column, depth);
    }
  }

  #entry(map: YamlMap, key: YamlScalar, column: number, depth: number): void {
    const cursor = this.#cursor;
    const { line } = cursor;
    cursor.move(1);
    cursor.skipSpaces();
    cursor.skipComment();
    const value = cursor.isAtLineEnd
      ? this.#below(column, depth, true)
      : this.#beside(column, depth + 1);
    map.set(key, value, line);
  }

  #key(): YamlScalar {
    const cursor = this.#cursor;
    const { line } = cursor;
    if (cursor.char === '"' || cursor.char === "'") {
      const key = readQuoted(cursor);
      cursor.skipSpaces();
      if (cursor.line === line && cursor.isAlone(":")) return key;
      throw cursor.wrong("a key has no colon");
    }
    const end = this.#keyEnd();
    if (end === undefined) throw cursor.wrong("a key has no colon");
    return this.#plainKey(end);
  }

  #plainKey(end: number): YamlScalar {
    const cursor = this.#cursor;
    const text = trimmedEnd(cursor.text.slice(cursor.at, end));
    const key = resolvePlain(cursor, text);
    cursor.move(end - cursor.at);
    return key;
  }

  /** Where the colon of the plain key is that begins here. */
  #keyEnd(): number | undefined {
    const cursor = this.#cursor;
    refuseIndicator(cursor);
    if (",]}#".includes(cursor.char ?? "")) throw cursor.wrong(`${cursor.char} begins no value`);
    const { text, at: from } = cursor;
    let at = from;
    let found: number | undefined;
    for (; at < text.length && text[at] !== "\n"; at++) {
      const next = text[at + 1];
      if (text[at] === ":" && (next === undefined || " \t\n".includes(next))) {
        found = at;
        break;
      }
      if (next === "#" && (text[at] === " " || text[at] === "\t")) break;
    }
    cursor.work.spend(at - from);
    return found;
  }

  /**
   * A value on the lines below, or null. A list may be indented as little as the key it belongs to.
   */
  #below(column: number, depth: number, ofKey = false): unknown {
    const cursor = this.#cursor;
    cursor.toContent();
    const isOver = cursor.isDone || cursor.isMarker("---") || cursor.isMarker("...");
    if (!isOver && cursor.column > column) return this.#node(column, depth + 1);
    if (!isOver && ofKey && cursor.column === column && cursor.isAlone("-")) {
      return this.#list(depth + 1);
    }
    cursor.begin(depth);
    return null;
  }

  /** A value on the line of its key: no list and no map by indentation. */
  #beside(column: number, depth: number): unknown {
    const cursor = this.#cursor;
    if ("|>".includes(cursor.char ?? "")) return this.#marked(column, depth);
    if ("[{\"'".includes(cursor.char ?? "")) {
      const value = this.#marked(column, depth);
      cursor.endLine();
      return value;
    }
    if (cursor.isAlone("-")) throw cursor.wrong("a list begins on the line below its key");
    if (this.#keyEnd() !== undefined) throw cursor.wrong("a second key stands on one line");
    return this.#plain(column, depth);
  }

  /**
   * A text without quotes, with the lines behind it that are indented further than what it belongs
   * to.
   */
  #plain(parent: number, depth: number): unknown {
    const cursor = this.#cursor;
    cursor.begin(depth);
    const parts = [this.#plainLine()];
    // A comment ends it.
    while (cursor.char === "\n" && !this.#endedInComment) {
      const mark = cursor.mark();
      let breaks = 0;
      while (cursor.char === "\n") {
        breaks += 1;
        cursor.newLine();
        cursor.skipSpaces();
      }
      const isOver =
        cursor.isDone ||
        cursor.column <= parent ||
        cursor.char === "#" ||
        cursor.isMarker("---") ||
        cursor.isMarker("...");
      if (isOver) {
        cursor.reset(mark);
        break;
      }
      parts.push(breaks === 1 ? " " : "\n".repeat(breaks - 1), this.#plainLine());
    }
    return resolvePlain(cursor, parts.join(""));
  }

  /** The rest of the line, up to a comment. */
  #plainLine(): string {
    const cursor = this.#cursor;
    const { text, at: from } = cursor;
    let at = from;
    for (; at < text.length && text[at] !== "\n"; at++) {
      const next = text[at + 1];
      if (text[at] === ":" && (next === undefined || " \t\n".includes(next))) {
        throw cursor.wrong("a key stands where a text goes on; put the text in quotes");
      }
      if (text[at] === "#" && at > from && " \t".includes(text[at - 1] ?? "")) break;
    }
    cursor.move(at - from);
    this.#endedInComment = cursor.char === "#";
    cursor.skipComment();
    return trimmedEnd(text.slice(from, at));
  }

  #misplaced(): Error {
    return this.#cursor.wrong("the indentation does not match the lines above");
  }
}
