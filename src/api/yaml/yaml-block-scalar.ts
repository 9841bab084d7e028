/** Texts that begin with `|` or `>` and go on over the indented lines behind it. */
import type { YamlCursor } from "./yaml-cursor.ts";

interface Header {
  readonly isFolded: boolean;
  readonly chomp: "" | "+" | "-";
  /** Given as a digit; 0: as far as the first line is. */
  readonly indent: number;
}

/** `parent`: how far what the text belongs to is indented; -1 for the whole document. */
export function readBlockScalar(cursor: YamlCursor, parent: number): string {
  const header = readHeader(cursor);
  const given = header.indent === 0 ? 0 : Math.max(parent, 0) + header.indent;
  const lines = readLines(cursor, parent, given);
  let last = lines.length;
  while (last > 0 && lines[last - 1] === "") last -= 1;
  const content = lines.slice(0, last);
  const text = header.isFolded ? fold(content) : content.join("\n");
  if (header.chomp === "-") return text;
  if (header.chomp === "+") return text + "\n".repeat(lines.length - last + (last > 0 ? 1 : 0));
  return last > 0 ? `${text}\n` : "";
}

function readHeader(cursor: YamlCursor): Header {
  const isFolded = cursor.char === ">";
  cursor.move(1);
  let chomp: Header["chomp"] = "";
  let indent = 0;
  for (let signs = 0; signs < 2; signs++) {
    const { char = "" } = cursor;
    if (chomp === "" && (char === "+" || char === "-")) chomp = char;
    else if (indent === 0 && /^[1-9]$/.test(char)) indent = Number(char);
    else break;
    cursor.move(1);
  }
  cursor.endLine();
  if (!cursor.isDone) cursor.newLine();
  return { isFolded, chomp, indent };
}

function readLines(cursor: YamlCursor, parent: number, given: number): string[] {
  const lines: string[] = [];
  let indent = given;
  while (!cursor.isDone) {
    const end = cursor.lineEnd();
    const from = cursor.at;
    let spaces = 0;
    while (from + spaces < end && cursor.text[from + spaces] === " ") spaces += 1;
    const isBlank = from + spaces === end;
    if (!isBlank) {
      if (indent === 0) {
        if (spaces <= parent) break;
        indent = Math.max(spaces, 0);
      }
      if (spaces < indent || cursor.isMarker("---") || cursor.isMarker("...")) break;
    }
    lines.push(isBlank && indent === 0 ? "" : cursor.text.slice(Math.min(from + indent, end), end));
    cursor.move(end - from);
    if (!cursor.isDone) cursor.newLine();
  }
  return lines;
}

/**
 * Lines are joined by spaces; empty lines and lines that are indented further keep their breaks.
 */
function fold(lines: readonly string[]): string {
  const parts: string[] = [];
  let breaks = 0;
  let wasFurther = false;
  for (const line of lines) {
    if (line === "") {
      breaks += 1;
      continue;
    }
    const isFurther = line.startsWith(" ") || line.startsWith("\t");
    const isFirst = parts.length === 0;
    if (isFirst) parts.push("\n".repeat(breaks));
    else if (wasFurther || isFurther) parts.push("\n".repeat(breaks + 1));
    else parts.push(breaks === 0 ? " " : "\n".repeat(breaks));
    parts.push(line);
    breaks = 0;
    wasFurther = isFurther;
  }
  return parts.join("");
}
