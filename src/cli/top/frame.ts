/**
 * One frame of `berth top`: exactly as many lines as the screen has, made from the known rows and
 * the reader's position alone.
 */
import { ownCommand } from "../text/own-command.ts";
import { capacityLines } from "./capacity-lines.ts";
import { wrapped } from "./cells.ts";
import { eventsPane } from "./events-pane.ts";
import { headerLines } from "./header-lines.ts";
import { nodesPane } from "./nodes-pane.ts";
import type { PaneRows } from "./pane-rows.ts";
import { queuePane } from "./queue-pane.ts";
import { line, type StyledLine } from "./styled-line.ts";
import { type Pane, PANES, type Reader, type TopState } from "./top-state.ts";

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Its title, its headings and two rows: less of a pane says nothing. */
const SMALL_PANE = 4;
/** Below this only the pane that is looked at has rows; of the others there is the title. */
const ROOM_FOR_ALL = 3 * SMALL_PANE + 4;
/** Details of the selected row, and the keys. */
const DETAIL = 2;
const FOOTER = DETAIL + 1;

export function frame(state: TopState, reader: Reader, size: Size): readonly StyledLine[] {
  const header = headerLines(state);
  const most = Math.max(3, Math.floor(size.height / 3) - 2);
  const capacity = capacityLines(state.nodes, { width: size.width, most });
  const above = [...header, ...capacity];
  const panes = {
    nodes: nodesPane(state, reader, size),
    queue: queuePane(state, reader),
    events: eventsPane(state, reader),
  };
  const room = Math.max(PANES.length + 2, size.height - above.length - FOOTER);
  const heights = heightsOf(panes, reader.pane, room);
  const body = PANES.flatMap((pane) =>
    paneLines(pane, panes[pane], { reader, state, height: heights[pane] }),
  );
  const footer = footerLines(panes[reader.pane], reader, size.width);
  const all = [...above, ...body].slice(0, Math.max(0, size.height - FOOTER));
  const blank = Array.from({ length: size.height - FOOTER - all.length }, () => line(""));
  return [...all, ...blank, ...footer].slice(0, size.height);
}

/** What is looked at comes first; what it does not need is for the others. */
function heightsOf(
  panes: Readonly<Record<Pane, PaneRows>>,
  looked: Pane,
  room: number,
): Record<Pane, number> {
  const small = room >= ROOM_FOR_ALL ? SMALL_PANE : 1;
  const heights = { nodes: small, queue: small, events: small };
  let left = room - small * PANES.length;
  for (const pane of [looked, ...PANES.filter((each) => each !== looked)]) {
    const needed = 2 + Math.max(1, panes[pane].count);
    const more = small === 1 && pane !== looked ? 0 : Math.max(0, needed - heights[pane]);
    heights[pane] += Math.min(left, more);
    left -= Math.min(left, more);
  }
  return heights;
}

const STREAMS = { nodes: "fleet", queue: "queue", events: "audit" } as const;

function paneLines(
  pane: Pane,
  rows: PaneRows,
  of: { readonly reader: Reader; readonly state: TopState; readonly height: number },
): readonly StyledLine[] {
  const { reader, state, height } = of;
  const isLooked = reader.pane === pane;
  const title = titleOf(pane, rows, reader);
  if (height === 1) return [title];
  const room = height - 2;
  const heading = line({ text: `  ${rows.heading}`, tone: "dim" });
  if (rows.count === 0) {
    const isConnecting = state.connections[STREAMS[pane]].kind === "connecting";
    const empty = line({
      text: `  ${isConnecting ? "Connecting …" : nothing(pane, reader)}`,
    });
    return filled([title, heading, empty], height);
  }
  const selected = Math.min(reader.selected[pane], rows.count - 1);
  // What is looked at stays on the screen, in the middle of it where there is more on both sides.
  const middle = selected - Math.floor(room / 2);
  const first = isLooked ? Math.max(0, Math.min(middle, rows.count - room)) : 0;
  const shown = Array.from({ length: Math.min(room, rows.count - first) }, (_, at) => {
    const isSelected = isLooked && first + at === selected;
    const { parts } = rows.row(first + at);
    return { parts: [{ text: isSelected ? "> " : "  " }, ...parts], isSelected };
  });
  return filled([title, heading, ...shown], height);
}

const filled = (lines: readonly StyledLine[], height: number): readonly StyledLine[] => [
  ...lines.slice(0, height),
  ...Array.from({ length: Math.max(0, height - lines.length) }, () => line("")),
];

function titleOf(pane: Pane, { count }: PaneRows, reader: Reader): StyledLine {
  const number = PANES.indexOf(pane) + 1;
  const sort = reader.sorts[pane];
  const found = reader.filter === "" ? "" : `, with "${reader.filter}"`;
  const mark = reader.pane === pane ? "▶" : " ";
  return line(
    { text: `${mark}${number} ${pane}`, tone: "title" },
    { text: `  ${count}${found}, by ${sort}`, tone: "dim" },
  );
}

function nothing(pane: Pane, { filter }: Reader): string {
  if (filter !== "") return `No rows match "${filter}": press Esc to show all.`;
  if (pane === "nodes") return `No nodes yet: start one with \`${ownCommand()} agent\`.`;
  return pane === "queue" ? "The queue is empty." : "No events yet.";
}

const KEYS = "q quit  tab 1-3 panes  ↑↓ rows  / filter  s sort";

function footerLines(rows: PaneRows, reader: Reader, width: number): readonly StyledLine[] {
  const selected = Math.min(reader.selected[reader.pane], rows.count - 1);
  const detail = rows.count === 0 ? [] : wrapped(rows.detail(selected), width);
  const shown = filled(
    detail.slice(0, DETAIL).map((text) => line(text)),
    DETAIL,
  );
  const last = reader.isTyping
    ? line({ text: `/${reader.filter}`, tone: "title" }, "_  Enter keeps it, Esc shows all")
    : line({ text: KEYS, tone: "dim" });
  return [...shown, last];
}
