/** What the tables of the queue show of each wait. */
import { reasonWords } from "../../../src/api/views/wait-words.ts";
import { RelativeTime } from "../parts/relative-time.tsx";
import { ageText } from "../parts/age-text.ts";
import type { Column } from "../parts/virtual-table.tsx";
import { subjectName, waitSentence, type WaitRow } from "./wait-row.ts";

const POSITION: Column<WaitRow> = {
  id: "position",
  title: "Place",
  width: "7ch",
  isWideOnly: true,
  cell: ({ position, of }) =>
    position === null ? <span class="quiet">–</span> : <span title={`of ${of}`}>{position}</span>,
};

const SUBJECT: Column<WaitRow> = {
  id: "subject",
  title: "Workload",
  width: "20%",
  cell: ({ subject }) => <span class="wait-subject">{subjectName(subject)}</span>,
};

const WAITING_COLUMNS: readonly Column<WaitRow>[] = [
  SUBJECT,
  {
    id: "sentence",
    title: "What it waits for",
    cell: (row) => (
      <span class="wait-sentence" title={reasonWords(row.reason)}>
        {waitSentence(row)}
      </span>
    ),
  },
  {
    id: "since",
    title: "Since",
    width: "12ch",
    cell: ({ since }) => <RelativeTime at={since ?? undefined} />,
  },
  POSITION,
  {
    id: "priority",
    title: "Priority",
    width: "11ch",
    isWideOnly: true,
    cell: ({ priority }) => priority?.name || <span class="quiet">none</span>,
  },
  {
    id: "estimate",
    title: "Estimate",
    width: "18ch",
    isWideOnly: true,
    cell: ({ estimateMs, upToMs, basis }) => (
      <span title={basis}>
        {estimateMs === null ? "none" : `about ${ageText(estimateMs)}`}
        {upToMs !== null && ` (≤ ${ageText(upToMs)})`}
      </span>
    ),
  },
];

/** A column that says nothing of any wait leaves its room to the sentences. */
const SAYS_NOTHING: Readonly<Record<string, (row: WaitRow) => boolean>> = {
  position: ({ position }) => position === null,
  priority: ({ priority }) => !priority?.name,
  estimate: ({ estimateMs }) => estimateMs === null,
};

export const columnsFor = (rows: readonly WaitRow[]): readonly Column<WaitRow>[] =>
  WAITING_COLUMNS.filter(({ id }) => {
    const saysNothing = SAYS_NOTHING[id];
    return saysNothing === undefined || !rows.every(saysNothing);
  });

/** On a phone: the workload, what it waits for over the whole width, and since when. */
export const PHONE_COLUMNS: readonly Column<WaitRow>[] = [
  {
    id: "wait",
    title: "Workload, and what it waits for",
    cell: (row) => (
      <span class="wait-phone">
        <span class="wait-subject">{subjectName(row.subject)}</span>
        <span class="wait-sentence">{waitSentence(row)}</span>
        <span class="quiet">
          <RelativeTime at={row.since ?? undefined} />
        </span>
      </span>
    ),
  },
];

/** Room for three lines of a sentence, the name above and the time below. */
export const PHONE_ROW_PX = 116;

/** Beside an open panel, which says the rest. */
export const NARROW_COLUMNS: readonly Column<WaitRow>[] = WAITING_COLUMNS.filter(({ id }) =>
  ["subject", "sentence"].includes(id),
);
