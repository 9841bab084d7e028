/** What a key does: where the reader is afterwards, or that they leave. */
import type { Key } from "./read-keys.ts";
import { type Pane, PANES, type Reader, SORTS } from "./top-state.ts";

/** About what is on a screen. */
const PAGE = 10;
/** More than any name has letters. */
const FILTER_MAX = 60;

export interface Counts {
  /** How many rows each pane has. */
  readonly rows: Readonly<Record<Pane, number>>;
}

export function steer(reader: Reader, key: Key, counts: Counts): Reader | "quit" {
  if (key === "interrupt") return "quit";
  if (reader.isTyping) return typed(reader, key);
  if (typeof key === "object") return byLetter(reader, key.letter);
  switch (key) {
    case "up":
      return moved(reader, -1, counts);
    case "down":
      return moved(reader, 1, counts);
    case "page-up":
      return moved(reader, -PAGE, counts);
    case "page-down":
      return moved(reader, PAGE, counts);
    case "home":
      return moved(reader, Number.NEGATIVE_INFINITY, counts);
    case "end":
      return moved(reader, Number.POSITIVE_INFINITY, counts);
    case "tab":
    case "right":
      return { ...reader, pane: next(PANES, reader.pane, 1) };
    case "back-tab":
    case "left":
      return { ...reader, pane: next(PANES, reader.pane, -1) };
    case "escape":
      return { ...reader, filter: "" };
    case "enter":
    case "backspace":
      return reader;
  }
}

function byLetter(reader: Reader, letter: string): Reader | "quit" {
  const pane = PANES[Number(letter) - 1];
  if (pane !== undefined) return { ...reader, pane };
  if (letter === "q") return "quit";
  if (letter === "/") return { ...reader, isTyping: true };
  return letter === "s" ? sortedAnew(reader) : reader;
}

function typed(reader: Reader, key: Key): Reader {
  if (key === "enter") return { ...reader, isTyping: false };
  if (key === "escape") return { ...reader, filter: "", isTyping: false };
  if (key === "backspace") return { ...reader, filter: reader.filter.replace(/.$/u, "") };
  if (typeof key !== "object" || reader.filter.length >= FILTER_MAX) return reader;
  return { ...reader, filter: reader.filter + key.letter };
}

function moved(reader: Reader, by: number, { rows }: Counts): Reader {
  const { pane, selected } = reader;
  const last = Math.max(0, rows[pane] - 1);
  // Rows may have gone since: positions count from the visible rows.
  const from = Math.min(selected[pane], last);
  return { ...reader, selected: { ...selected, [pane]: Math.max(0, Math.min(last, from + by)) } };
}

function sortedAnew(reader: Reader): Reader {
  const { pane, sorts } = reader;
  const words: readonly string[] = SORTS[pane];
  return { ...reader, sorts: { ...sorts, [pane]: next(words, sorts[pane], 1) } };
}

function next<T>(all: readonly T[], now: T, by: number): T {
  return all[(all.indexOf(now) + by + all.length) % all.length] ?? now;
}
