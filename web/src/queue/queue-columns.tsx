/** What the tables of the queue show of each wait. */
import { Badge } from "../parts/badge.tsx";
import { RelativeTime } from "../parts/relative-time.tsx";
import { ageText } from "../parts/age-text.ts";
import type { Column } from "../parts/virtual-table.tsx";
import { subjectName, type WaitRow } from "./wait-row.ts";

const POSITION: Column<WaitRow> = {
  id: "position",
  title: "Place",
  width: "7ch",
  isWideOnly: true,
  cell: ({ position, of }) =>
    position === null ? <span class="quiet">–</span> : <span title={`of ${of}`}>{position}</span>,
};

const REASON: Column<WaitRow> = {
  id: "reason",
  title: "Reason",
  width: "22ch",
  cell: ({ reason, text }) => (
    <Badge tone="wait">
      <span title={text}>{reason}</span>
    </Badge>
  ),
};

const DEADLINE: Column<WaitRow> = {
  id: "deadline",
  title: "Retry",
  width: "10ch",
  cell: ({ deadline }) => <RelativeTime at={deadline} form="due" />,
};

export const WAITING_COLUMNS: readonly Column<WaitRow>[] = [
  {
    id: "subject",
    title: "Workload",
    cell: ({ subject }) => subjectName(subject),
  },
  POSITION,
  {
    id: "count",
    title: "Replicas",
    width: "9ch",
    align: "end",
    isWideOnly: true,
    cell: ({ count }) => count ?? "–",
  },
  {
    id: "priority",
    title: "Priority",
    width: "12ch",
    isWideOnly: true,
    cell: ({ priority }) => priority?.name ?? <span class="quiet">none</span>,
  },
  REASON,
  {
    id: "since",
    title: "Waits for",
    width: "11ch",
    isWideOnly: true,
    cell: ({ since }) => <RelativeTime at={since ?? undefined} form="age" />,
  },
  {
    id: "estimate",
    title: "Estimate",
    width: "11ch",
    isWideOnly: true,
    cell: ({ estimateMs, basis }) => (
      <span title={basis}>{estimateMs === null ? "none" : `about ${ageText(estimateMs)}`}</span>
    ),
  },
  { ...DEADLINE, isWideOnly: true },
];

/** Beside an open panel, which says the rest. */
export const NARROW_COLUMNS: readonly Column<WaitRow>[] = WAITING_COLUMNS.filter(({ id }) =>
  ["subject", "position", "count", "reason"].includes(id),
);

export const OWED_COLUMNS: readonly Column<WaitRow>[] = [
  {
    id: "subject",
    title: "Object",
    cell: ({ subject }) => subject.replace("//", "/"),
  },
  { id: "owner", title: "Controller", width: "18ch", isWideOnly: true, cell: ({ owner }) => owner },
  REASON,
  DEADLINE,
];
