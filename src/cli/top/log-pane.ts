/** The lines that the processes of one replica have written, the last at the end. */
import { stripVTControlCharacters } from "node:util";
import type { PaneRows } from "./pane-rows.ts";
import { line } from "./styled-line.ts";
import type { Reader, TopState } from "./top-state.ts";

export function logPane({ log }: TopState, { filter }: Reader): PaneRows {
  const wanted = filter.toLowerCase();
  const rows = log.rows.filter((text) => text.toLowerCase().includes(wanted));
  return {
    heading: log.note,
    count: rows.length,
    row: (at) => line(plain(rows[at] as string)),
    detail: (at) => plain(rows[at] as string),
  };
}

/** A colour of the process would be shown as signs; a return at the end of a line says nothing. */
const plain = (text: string): string => stripVTControlCharacters(text).replace(/\r$/, "");
