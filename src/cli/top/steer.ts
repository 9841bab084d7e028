/** What a key does: where the reader is afterwards, or that they leave. */
import { HELP } from "./openings.ts";
import type { PaneRows } from "./pane-rows.ts";
import type { Key } from "./read-keys.ts";
import { type Opening, type Pane, PANES, type Reader, SORTS } from "./top-state.ts";

/** About what is on a screen. */
const PAGE = 10;
/** More than any name has letters. */
const FILTER_MAX = 60;

/** The rows of the pane that the reader looks at. */
export type Rows = Pick<PaneRows, "count" | "opens">;

export function steer(reader: Reader, key: Key, rows: Rows): Reader | "quit" {
  if (key === "interrupt") return "quit";
  if (reader.isTyping) return typed(reader, key);
  if (typeof key === "object") return byLetter(reader, key.letter, rows);
  switch (key) {
    case "up":
      return moved(reader, -1, rows);
    case "down":
      return moved(reader, 1, rows);
    case "page-up":
      return moved(reader, -PAGE, rows);
    case "page-down":
      return moved(reader, PAGE, rows);
    case "home":
      return moved(reader, Number.NEGATIVE_INFINITY, rows);
    case "end":
      return moved(reader, Number.POSITIVE_INFINITY, rows);
    case "tab":
    case "right":
      return beside(reader, 1);
    case "back-tab":
    case "left":
      return beside(reader, -1);
    case "escape":
      return reader.filter === "" ? back(reader) : { ...reader, filter: "" };
    case "backspace":
      return back(reader);
    case "enter":
      return entered(reader, rows);
  }
}

/** The keys of people whose hands stay on the letters. */
const AS_KEYS: Readonly<Record<string, Key>> = { j: "down", k: "up", g: "home", G: "end" };

function byLetter(reader: Reader, letter: string, rows: Rows): Reader | "quit" {
  const pane = PANES[Number(letter) - 1];
  if (pane !== undefined) return { ...overview(reader), pane };
  const key = AS_KEYS[letter];
  if (key !== undefined) return steer(reader, key, rows);
  switch (letter) {
    case "q":
      return "quit";
    case "/":
      return { ...reader, isTyping: true };
    case "?":
      return reader.pane === HELP.pane ? back(reader) : opened(reader, HELP);
    case "s":
      return sortedAnew(reader);
    default:
      return reader;
  }
}

const back = (reader: Reader): Reader => reader.opened?.from ?? reader;

/** Where the reader began to open levels. */
const overview = (reader: Reader): Reader =>
  reader.opened === undefined ? reader : overview(reader.opened.from);

function beside(reader: Reader, by: number): Reader {
  const from = overview(reader);
  return { ...from, pane: next<Pane>(PANES, from.pane, by) };
}

function entered(reader: Reader, { count, opens }: Rows): Reader {
  if (count === 0 || opens === undefined) return reader;
  return opened(reader, opens(Math.min(reader.selected[reader.pane], count - 1)));
}

function opened(reader: Reader, opening: Opening): Reader {
  const { pane, at } = opening;
  const selected = { ...reader.selected, [pane]: at };
  return { ...reader, pane, selected, filter: "", opened: { opening, from: reader } };
}

function typed(reader: Reader, key: Key): Reader {
  if (key === "enter") return { ...reader, isTyping: false };
  if (key === "escape") return { ...reader, filter: "", isTyping: false };
  if (key === "backspace") return { ...reader, filter: reader.filter.replace(/.$/u, "") };
  if (typeof key !== "object" || reader.filter.length >= FILTER_MAX) return reader;
  return { ...reader, filter: reader.filter + key.letter };
}

function moved(reader: Reader, by: number, { count }: Rows): Reader {
  const { pane, selected } = reader;
  const last = Math.max(0, count - 1);
  // Rows may have gone since: positions count from the visible rows.
  const from = Math.min(selected[pane], last);
  const to = Math.max(0, Math.min(last, from + by));
  // A level that begins beyond its last row follows its end, and does so again from there.
  const end = reader.opened?.opening.at ?? 0;
  return { ...reader, selected: { ...selected, [pane]: to === last && end > last ? end : to } };
}

function sortedAnew(reader: Reader): Reader {
  const { pane, sorts } = reader;
  const words: readonly string[] = SORTS[pane];
  return { ...reader, sorts: { ...sorts, [pane]: next(words, sorts[pane], 1) } };
}

function next<T>(all: readonly T[], now: T, by: number): T {
  return all[(all.indexOf(now) + by + all.length) % all.length] ?? now;
}
