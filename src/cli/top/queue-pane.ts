/**
 * Who waits for room or quota, in the order in which the scheduler would take them, since when and
 * why.
 */
import { ownCommand } from "../text/own-command.ts";
import { ageText } from "../../api/age.ts";
import type { ObjectKey } from "../../core/model/ids.ts";
import { parseKey } from "../../core/model/ids.ts";
import { printable } from "../../text/printable.ts";
import { padded } from "./cells.ts";
import { replicasOfWorkload } from "./openings.ts";
import type { PaneRows } from "./pane-rows.ts";
import { line, type StyledLine } from "./styled-line.ts";
import type { Reader, TopState, WaitRow } from "./top-state.ts";

const NAME_WIDTH = 26;
const LAST = Number.MAX_SAFE_INTEGER;

/**
 * What controllers owe themselves is no queue: a look at a lease in a few seconds is none of the
 * reader's business.
 */
export const isWaiting = (row: WaitRow): boolean => row.class === "waiting";

export function queuePane(state: TopState, { sorts, filter }: Reader): PaneRows {
  const rows = state.waits
    .filter((row) => isWaiting(row) && textOf(row).includes(filter.toLowerCase()))
    .toSorted(ORDERS[sorts.queue]);
  return {
    heading: `${padded("POS", 4, "right")} ${padded("WORKLOAD", NAME_WIDTH)} ${padded("WAIT", 5, "right")} ${padded("SINCE", 6)} ${padded("CLASS", 9)} REASON`,
    count: rows.length,
    row: (at) => rowLine(rows[at] as WaitRow, state.planeMs),
    detail: (at) => detailOf(rows[at] as WaitRow),
    opens: (at) => replicasOfWorkload(nameOf(rows[at] as WaitRow)),
  };
}

const nameOf = ({ subject }: WaitRow): string => {
  const { namespace, name } = parseKey(subject as ObjectKey);
  return namespace === "" ? name : `${namespace}/${name}`;
};

const textOf = (row: WaitRow): string =>
  `${nameOf(row)} ${row.reason} ${row.text} ${row.priority?.name ?? ""}`.toLowerCase();

const byName = (a: WaitRow, b: WaitRow): number => (a.wait < b.wait ? -1 : 1);
const bySince = (a: WaitRow, b: WaitRow): number => (a.since ?? LAST) - (b.since ?? LAST);
const byPosition = (a: WaitRow, b: WaitRow): number =>
  (a.position ?? LAST) - (b.position ?? LAST) ||
  (b.priority?.value ?? 0) - (a.priority?.value ?? 0) ||
  bySince(a, b);

const ORDERS: Readonly<Record<Reader["sorts"]["queue"], (a: WaitRow, b: WaitRow) => number>> = {
  position: (a, b) => byPosition(a, b) || byName(a, b),
  waiting: (a, b) => bySince(a, b) || byName(a, b),
  workload: (a, b) => (nameOf(a) < nameOf(b) ? -1 : 1),
};

function rowLine(row: WaitRow, planeMs: number): StyledLine {
  const { position, count, since, priority, reason, text } = row;
  const age = since === null ? "-" : ageText(planeMs - since);
  return line(
    `${padded(String(position ?? "-"), 4, "right")} ${padded(nameOf(row), NAME_WIDTH)} `,
    `${padded(String(count ?? "-"), 5, "right")} ${padded(age, 6)} ${padded(priority?.name || "-", 9)} `,
    { text: reason, tone: "warn" },
    { text: printable(text === "" ? "" : `: ${text}`) },
  );
}

function detailOf(row: WaitRow): string {
  const { reason, text, owner, estimateMs, upToMs = null } = row;
  const most = upToMs === null ? "" : `, 9 of 10 within ${ageText(upToMs)}`;
  const until = estimateMs === null ? "" : ` Estimated wait ${ageText(estimateMs)}${most}.`;
  const why = printable(text === "" ? reason : text).replace(/\.?$/, ".");
  return `${nameOf(row)} waits for ${owner}: ${why}${until} See \`${ownCommand()} explain\` for details.`;
}
