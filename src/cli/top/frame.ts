/**
 * One frame of `berth top`: exactly as many lines as the screen has, made from the known rows and
 * the reader's position alone. The overview has capacity and all its panes, an open level is alone.
 */
import { capacityLines } from "./capacity-lines.ts";
import { wrapped } from "./cells.ts";
import { headerLines } from "./header-lines.ts";
import type { PaneRows } from "./pane-rows.ts";
import { PANE_VIEWS } from "./panes.ts";
import { line, type StyledLine } from "./styled-line.ts";
import { type Pane, PANES, type Reader, SORTS, type TopState } from "./top-state.ts";

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Its title, its headings and two rows: less of a pane says nothing. */
const SMALL_PANE = 4;
/** Below this only the pane that is looked at has rows; of the others there is the title. */
const ROOM_FOR_ALL = PANES.length * SMALL_PANE + 4;
/** Details of the selected row, and the keys. */
const DETAIL = 2;
const FOOTER = DETAIL + 1;

interface ShownPane {
  readonly pane: Pane;
  readonly rows: PaneRows;
}

export function frame(state: TopState, reader: Reader, size: Size): readonly StyledLine[] {
  const isOverview = reader.opened === undefined;
  const above = [...headerLines(state), ...(isOverview ? capacityOf(state, size) : [])];
  const panes = (isOverview ? PANES : [reader.pane]).map((pane) => ({
    pane,
    rows: PANE_VIEWS[pane].rows(state, reader, size),
  }));
  const room = Math.max(panes.length + 2, size.height - above.length - FOOTER);
  const heights = heightsOf(panes, reader.pane, room);
  const body = panes.flatMap((shown) =>
    paneLines(shown, { reader, state, height: heights.get(shown.pane) ?? 1 }),
  );
  const looked = panes.find(({ pane }) => pane === reader.pane);
  const footer = footerLines(looked?.rows, reader, size.width);
  const all = [...above, ...body].slice(0, Math.max(0, size.height - FOOTER));
  const blank = Array.from({ length: size.height - FOOTER - all.length }, () => line(""));
  return [...all, ...blank, ...footer].slice(0, size.height);
}

function capacityOf({ nodes }: TopState, { width, height }: Size): readonly StyledLine[] {
  const most = Math.max(3, Math.floor(height / 3) - 2);
  return capacityLines(nodes, { width, most });
}

/** What is looked at comes first; what it does not need is for the others. */
function heightsOf(
  panes: readonly ShownPane[],
  looked: Pane,
  room: number,
): ReadonlyMap<Pane, number> {
  const small = room >= ROOM_FOR_ALL ? SMALL_PANE : 1;
  const heights = new Map<Pane, number>();
  let left = room - small * panes.length;
  const inTurn = panes.toSorted((a, b) => Number(b.pane === looked) - Number(a.pane === looked));
  for (const { pane, rows } of inTurn) {
    const needed = 2 + Math.max(1, rows.count);
    const wanted = small === 1 && pane !== looked ? 0 : Math.max(0, needed - small);
    const more = Math.min(left, wanted);
    heights.set(pane, small + more);
    left -= more;
  }
  return heights;
}

function paneLines(
  { pane, rows }: ShownPane,
  of: { readonly reader: Reader; readonly state: TopState; readonly height: number },
): readonly StyledLine[] {
  const { reader, state, height } = of;
  const isLooked = reader.pane === pane;
  const title = titleOf(pane, rows, reader);
  if (height === 1) return [title];
  const room = height - 2;
  const heading = line({ text: `  ${rows.heading}`, tone: "dim" });
  if (rows.count === 0) {
    const { filter } = reader;
    const text =
      filter === ""
        ? PANE_VIEWS[pane].empty(state)
        : `No rows match "${filter}": press Esc to show all.`;
    return filled([title, heading, line(`  ${text}`)], height);
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
  const { opened, filter, sorts } = reader;
  const title = opened?.opening.title ?? `${PANES.findIndex((each) => each === pane) + 1} ${pane}`;
  const found = filter === "" ? "" : `, with "${filter}"`;
  const sort = SORTS[pane].length > 1 ? `, by ${sorts[pane]}` : "";
  const mark = reader.pane === pane ? "▶" : " ";
  return line(
    { text: `${mark}${title}`, tone: "title" },
    { text: `  ${count}${found}${sort}`, tone: "dim" },
  );
}

const KEYS = "q quit  ? keys  tab 1-4 panes  ↑↓ rows  enter open  / filter  s sort";
const LEVEL_KEYS = "q quit  ? keys  esc back  ↑↓ rows  enter open  / filter  s sort";

function footerLines(
  rows: PaneRows | undefined,
  reader: Reader,
  width: number,
): readonly StyledLine[] {
  const count = rows?.count ?? 0;
  const selected = Math.min(reader.selected[reader.pane], count - 1);
  const detail = rows === undefined || count === 0 ? [] : wrapped(rows.detail(selected), width);
  const shown = filled(
    detail.slice(0, DETAIL).map((text) => line(text)),
    DETAIL,
  );
  const keys = reader.opened === undefined ? KEYS : LEVEL_KEYS;
  const last = reader.isTyping
    ? line({ text: `/${reader.filter}`, tone: "title" }, "_  Enter keeps it, Esc shows all")
    : line({ text: keys, tone: "dim" });
  return [...shown, last];
}
