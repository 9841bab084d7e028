/**
 * A list of Kubernetes as its objects, each parsed by itself: the text of a large cluster is longer
 * than a string may be. Only where an object begins and ends is looked for here; whether it is
 * JSON, its parser says.
 */
const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const BRACKET = 0x5b;
const BRACKET_END = 0x5d;
const BRACE = 0x7b;
const BRACE_END = 0x7d;
const BLANK = new Set([0x20, 0x0a, 0x0d, 0x09]);

const isOpen = (byte: number): boolean => byte === BRACE || byte === BRACKET;
const isClose = (byte: number): boolean => byte === BRACE_END || byte === BRACKET_END;

export interface SplitList {
  /** The list without its items. */
  readonly head: unknown;
  /** Parsed one after the other; one that is no JSON throws a SyntaxError. */
  readonly items: Iterable<unknown>;
}

/** Undefined: it is no object with items. */
export function splitList(bytes: Buffer): SplitList | undefined {
  const from = startOfItems(bytes);
  if (from === undefined) return undefined;
  const slices = slicesOf(bytes, from);
  const rest = bytes.subarray(slices.end).toString("utf8");
  const head: unknown = JSON.parse(`${bytes.subarray(0, from).toString("utf8")}${rest}`);
  return { head, items: parsed(bytes, slices.items) };
}

function* parsed(bytes: Buffer, items: readonly (readonly [number, number])[]): Generator {
  for (const [from, to] of items) yield JSON.parse(bytes.toString("utf8", from, to));
}

/** Behind the bracket that opens the items of the outermost object. */
function startOfItems(bytes: Buffer): number | undefined {
  let depth = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) {
      const end = indexOfEnd(bytes, at);
      const isKey = depth === 1 && bytes.toString("utf8", at + 1, end) === "items";
      at = end;
      const open = isKey ? afterColon(bytes, at + 1) : undefined;
      if (open !== undefined && bytes[open] === BRACKET) return open + 1;
    } else if (isOpen(byte)) depth += 1;
    else if (isClose(byte)) depth -= 1;
  }
  return undefined;
}

/** The first byte of the value whose key ends before `at`; undefined: it is no key. */
function afterColon(bytes: Buffer, at: number): number | undefined {
  const colon = afterBlanks(bytes, at);
  return bytes[colon] === COLON ? afterBlanks(bytes, colon + 1) : undefined;
}

function afterBlanks(bytes: Buffer, from: number): number {
  let at = from;
  while (BLANK.has(bytes[at] ?? 0)) at += 1;
  return at;
}

interface Slices {
  readonly items: readonly (readonly [number, number])[];
  /** The bracket that closes the items. */
  readonly end: number;
}

function slicesOf(bytes: Buffer, from: number): Slices {
  const items: [number, number][] = [];
  let depth = 0;
  let start = from;
  const isEmpty = bytes[afterBlanks(bytes, from)] === BRACKET_END;
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) at = indexOfEnd(bytes, at);
    else if (isOpen(byte)) depth += 1;
    else if (isClose(byte)) {
      if (depth === 0) {
        if (!isEmpty) items.push([start, at]);
        return { items, end: at };
      }
      depth -= 1;
    } else if (byte === COMMA && depth === 0) {
      items.push([start, at]);
      start = at + 1;
    }
  }
  throw new SyntaxError("it ends in the middle of its items");
}

/** The quote that ends the string which begins at `start`. */
function indexOfEnd(bytes: Buffer, start: number): number {
  for (let at = start; ;) {
    at = bytes.indexOf(QUOTE, at + 1);
    if (at < 0) throw new SyntaxError("it ends in the middle of a string");
    let slashes = 0;
    while (bytes[at - 1 - slashes] === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return at;
  }
}
