/**
 * A folder with a public trace that the user has fetched: tables as CSV, plain or gzipped. Traces
 * are not part of Berth, so every mistake about them says what is missing and where it can be had.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { parseCsv } from "../perf/original-table.ts";

/** The trace is not there, or is not what it should be. `file` is where it was looked for. */
export class TraceError extends Error {
  override readonly name = "TraceError";
  readonly file: string;
  readonly isMissing: boolean;

  constructor(message: string, file: string, { isMissing = false } = {}) {
    super(message);
    this.file = file;
    this.isMissing = isMissing;
  }
}

export type TableRow = Readonly<Record<string, string>>;

export class TraceFolder {
  readonly path: string;
  private readonly origin: string;

  /** `origin` is the sentence that says where the trace can be had. */
  constructor(path: string, origin: string) {
    this.path = path;
    this.origin = origin;
  }

  /**
   * The text of the first of these files that exists, as it is or with .gz; undefined without any.
   */
  find(...names: readonly string[]): string | undefined {
    for (const name of names) {
      for (const file of [join(this.path, name), join(this.path, `${name}.gz`)]) {
        if (existsSync(file)) return this.readText(file);
      }
    }
    return undefined;
  }

  text(...names: readonly string[]): string {
    const text = this.find(...names);
    if (text !== undefined) return text;
    const [first = "", ...others] = names;
    const also = others.length === 0 ? "" : ` (also looked for as ${others.join(", ")})`;
    throw new TraceError(`There is no ${first}${also}. ${this.origin}`, this.path, {
      isMissing: true,
    });
  }

  /** The lines of a table by the names in its first line. Each must have these columns. */
  table(needed: readonly string[], ...names: readonly string[]): readonly TableRow[] {
    return this.rows(needed, this.text(...names), names[0] ?? "");
  }

  rows(needed: readonly string[], text: string, name: string): readonly TableRow[] {
    const [head = [], ...lines] = this.cells(text, name);
    for (const column of needed) {
      if (head.includes(column)) continue;
      throw new TraceError(`The table has no column "${column}". ${this.origin}`, this.at(name));
    }
    return lines
      .filter((line) => line.length > 1 || line[0] !== "")
      .map((line) => Object.fromEntries(head.map((column, at) => [column, line[at] ?? ""])));
  }

  /** A whole number that is not negative. */
  number(row: TableRow, column: string, name: string): number {
    const value = row[column] ?? "";
    if (/^\d{1,15}$/.test(value)) return Number(value);
    throw new TraceError(`Found ${column} "${value}", expected a whole number.`, this.at(name));
  }

  at(name: string): string {
    return join(this.path, name);
  }

  private cells(text: string, name: string): readonly (readonly string[])[] {
    try {
      return parseCsv(text);
    } catch (error) {
      throw new TraceError(error instanceof Error ? error.message : "", this.at(name));
    }
  }

  private readText(file: string): string {
    try {
      const bytes = readFileSync(file);
      return (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
    } catch (error) {
      throw new TraceError(error instanceof Error ? `${error.message}.` : "", file);
    }
  }
}
