/** What each key does. */
import { padded } from "./cells.ts";
import type { PaneRows } from "./pane-rows.ts";
import { line } from "./styled-line.ts";
import type { Reader } from "./top-state.ts";

const KEY_WIDTH = 16;
const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ["tab, ← →", "the next pane, or the one before"],
  ["1 2 3 4", "nodes, workloads, queue, events"],
  ["↑ ↓, j k", "the next row, or the one before"],
  ["page up, down", "ten rows"],
  ["home end, g G", "the first row, or the last; a log at its last line is followed"],
  ["enter", "a workload or a node: its replicas; a replica: its log"],
  ["esc, backspace", "back; esc first shows all rows again if there is a filter"],
  ["/", "show only rows with a text; enter keeps the filter, esc removes it"],
  ["s", "sort in another way"],
  ["?", "these keys"],
  ["q, ctrl-c", "quit"],
];

export function helpPane({ filter }: Reader): PaneRows {
  const rows = KEYS.filter((row) => row.join(" ").toLowerCase().includes(filter.toLowerCase()));
  return {
    heading: `${padded("KEY", KEY_WIDTH)} DOES`,
    count: rows.length,
    row: (at) => {
      const [keys = "", does = ""] = rows[at] ?? [];
      return line({ text: padded(keys, KEY_WIDTH), tone: "title" }, ` ${does}`);
    },
    detail: () => "",
  };
}
