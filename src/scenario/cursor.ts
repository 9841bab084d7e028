/**
 * A place in a YAML document that knows where it stands, so that every mistake can be reported with
 * its line and column. A reader that meets a mistake notes it and goes on with a stand-in value:
 * the file is refused as a whole once everything wrong with it is known.
 */
import { type Document, isAlias, isMap, isScalar, isSeq, type LineCounter, type Node } from "yaml";
import {
  DURATION_FORM,
  formatDuration,
  parseDuration,
  secondsMeant,
} from "../quantity/duration.ts";
import type { Mistakes } from "./mistakes.ts";
import { didYouMean } from "../spelling/nearest.ts";

export interface Source {
  readonly document: Document;
  readonly lines: LineCounter;
  readonly mistakes: Mistakes;
}

interface Spot {
  readonly node: Node | undefined;
  readonly offset: number;
  /** How a person finds the place without counting lines, e.g. `nodes[2].capacity`. */
  readonly path: string;
  /** The absence was reported already; everything read from here is a stand-in. */
  readonly missing: boolean;
}

export class Cursor {
  readonly #source: Source;
  readonly #spot: Spot;

  constructor(source: Source, spot: Spot) {
    this.#source = source;
    this.#spot = spot;
  }

  static root(source: Source): Cursor {
    const node = source.document.contents ?? undefined;
    return new Cursor(source, { node, offset: node?.range?.[0] ?? 0, path: "", missing: false });
  }

  get isMissing(): boolean {
    return this.#spot.missing;
  }

  get isMapping(): boolean {
    return isMap(this.#node());
  }

  /** Notes a mistake here; `text` begins with what was found. */
  fail(text: string): void {
    if (this.#spot.missing) return;
    const { line, col } = this.#source.lines.linePos(this.#spot.offset);
    const where = this.#spot.path === "" ? "" : `${this.#spot.path}: `;
    this.#source.mistakes.add({ line, column: col, text: `${where}${text}` });
  }

  /** Notes that something else was expected here. */
  expected(what: string): void {
    this.fail(`found ${this.#found()}, expected ${what}.`);
  }

  scalar(): unknown {
    const node = this.#node();
    return isScalar(node) ? node.value : undefined;
  }

  text(what = "text"): string {
    const value = this.scalar();
    if (typeof value === "string") return value;
    const hint =
      typeof value === "number" || typeof value === "boolean" ? " (put it in quotes)" : "";
    this.expected(`${what}${hint}`);
    return "";
  }

  choice<const T extends string>(options: readonly T[]): T {
    const value = this.scalar();
    const chosen = options.find((option) => option === value);
    if (chosen !== undefined) return chosen;
    const hint = typeof value === "string" ? didYouMean(value, options) : "";
    this.fail(`found ${this.#found()}, expected one of ${options.join(", ")}.${hint}`);
    return options[0] as T;
  }

  boolean(): boolean {
    const value = this.scalar();
    if (typeof value !== "boolean") this.expected("true or false");
    return value === true;
  }

  integer(least: number): number {
    const value = this.scalar();
    if (typeof value === "number" && Number.isSafeInteger(value) && value >= least) return value;
    const bound = least === Number.MIN_SAFE_INTEGER ? "" : ` of at least ${least}`;
    this.expected(`a whole number${bound}`);
    return Math.max(least, 0);
  }

  durationMs(least = 0): number {
    const value = this.scalar();
    const ms = value === 0 ? 0 : typeof value === "string" ? parseDuration(value) : undefined;
    if (ms !== undefined && ms >= least) return ms;
    const bound = least > 0 ? `, at least ${formatDuration(least)}` : ", not negative";
    const meant = ms === undefined ? secondsMeant(String(value)) : "";
    const what = `${DURATION_FORM}${ms === undefined ? "" : bound}`;
    this.fail(`found ${this.#found()}, expected ${what}.${meant}`);
    return 0;
  }

  /** A number or text handed to `parse`; `form` says what a good one looks like. */
  parsed(form: string, parse: (text: string) => number | undefined): number {
    const value = this.scalar();
    const readable = typeof value === "number" || typeof value === "string";
    const result = readable ? parse(String(value)) : undefined;
    if (result !== undefined) return result;
    this.expected(form);
    return 0;
  }

  list<T>(read: (item: Cursor, index: number) => T): T[] {
    const node = this.#node();
    if (!isSeq(node)) {
      if (!this.#spot.missing) this.expected("a list");
      return [];
    }
    return node.items.map((item, index) => {
      const path = `${this.#spot.path}[${index}]`;
      return read(this.#at(item as Node | null, path, this.#spot.offset), index);
    });
  }

  /** The entry of a list, if it is one and has it. */
  item(index: string): Cursor | undefined {
    return isSeq(this.#node()) ? this.list((item) => item)[Number(index)] : undefined;
  }

  /** A mapping with known fields; any other field is a mistake. */
  fields(known: readonly string[]): Fields {
    const entries = this.entries();
    for (const [name, { key }] of entries) {
      if (known.includes(name)) continue;
      key.fail(
        `unknown field "${name}", expected one of ${known.join(", ")}.${didYouMean(name, known)}`,
      );
    }
    return new Fields(this, entries);
  }

  /** A mapping with any fields, in the order of the file. */
  entries(): Map<string, { readonly key: Cursor; readonly value: Cursor }> {
    const entries = new Map<string, { readonly key: Cursor; readonly value: Cursor }>();
    const node = this.#node();
    if (!isMap(node)) {
      if (!this.#spot.missing) this.expected("a mapping");
      return entries;
    }
    for (const pair of node.items) {
      const key = this.#at(pair.key as Node | null, this.#spot.path, this.#spot.offset);
      const name = key.scalar();
      if (typeof name !== "string") {
        key.expected("a field name");
        continue;
      }
      const path = this.#spot.path === "" ? name : `${this.#spot.path}.${name}`;
      const value = this.#at(pair.value as Node | null, path, key.#spot.offset);
      entries.set(name, { key, value });
    }
    return entries;
  }

  /** Stands for a field that is not there; reads as stand-ins and reports nothing more. */
  absent(): Cursor {
    return new Cursor(this.#source, { ...this.#spot, node: undefined, missing: true });
  }

  #at(node: Node | null, path: string, fallback: number): Cursor {
    const offset = node?.range?.[0] ?? fallback;
    return new Cursor(this.#source, { node: node ?? undefined, offset, path, missing: false });
  }

  #node(): Node | undefined {
    const { node } = this.#spot;
    return isAlias(node) ? node.resolve(this.#source.document) : node;
  }

  #found(): string {
    const node = this.#node();
    if (isMap(node)) return "a mapping";
    if (isSeq(node)) return "a list";
    const value = this.scalar();
    return value === undefined || value === null ? "nothing" : JSON.stringify(value);
  }
}

/** The fields of one mapping. */
export class Fields {
  readonly #owner: Cursor;
  readonly #entries: ReadonlyMap<string, { readonly value: Cursor }>;

  constructor(owner: Cursor, entries: ReadonlyMap<string, { readonly value: Cursor }>) {
    this.#owner = owner;
    this.#entries = entries;
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  need(name: string): Cursor {
    const value = this.#entries.get(name)?.value;
    if (value) return value;
    // A mapping that is itself wrong was reported already.
    if (this.#owner.isMapping) this.#owner.fail(`required field "${name}" is missing.`);
    return this.#owner.absent();
  }

  /** The place at the end of a path such as `steps[1].pause`, or as far as the file goes. */
  place(path: string): Cursor {
    let at = this.#owner;
    for (const step of path.split(/[.[\]]+/)) {
      const below = at.isMapping ? at.entries().get(step)?.value : at.item(step);
      if (below === undefined) break;
      at = below;
    }
    return at;
  }

  /** What `read` makes of the field, or `otherwise` when the file leaves it out. */
  get<T>(name: string, read: (value: Cursor) => T, otherwise: T): T {
    const value = this.#entries.get(name)?.value;
    return value ? read(value) : otherwise;
  }
}
