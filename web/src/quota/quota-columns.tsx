/** What the table of quotas shows of each tenant and group. */
import { cpuText, memoryText } from "../parts/amount-text.ts";
import { Badge } from "../parts/badge.tsx";
import { StatusWord } from "../parts/status-word.tsx";
import type { Column } from "../parts/virtual-table.tsx";
import { type AccountRow, shareText } from "./quota-row.ts";
import { UseBar } from "./use-bar.tsx";

export const QUOTA_COLUMNS: readonly Column<AccountRow>[] = [
  {
    id: "name",
    title: "Tenant",
    sortBy: ({ key }) => key,
    cell: ({ kind, name, group }) => (
      <>
        {name} {kind === "group" && <Badge>group</Badge>}
        {group !== null && <span class="quiet"> in {group}</span>}
      </>
    ),
  },
  {
    id: "cpu",
    title: "CPU",
    width: "26%",
    sortBy: ({ used }) => used[0],
    cell: (row) => <UseBar row={row} at={0} text={cpuText} />,
  },
  {
    id: "memory",
    title: "Memory",
    width: "26%",
    isWideOnly: true,
    sortBy: ({ used }) => used[1],
    cell: (row) => <UseBar row={row} at={1} text={memoryText} />,
  },
  {
    id: "share",
    title: "Share",
    width: "9ch",
    align: "end",
    sortBy: ({ share }) => share ?? -1,
    cell: ({ share }) => (share === null ? <span class="quiet">–</span> : shareText(share)),
  },
  {
    id: "waiting",
    title: "Waiting for quota",
    width: "21ch",
    sortBy: ({ waiting }) => waiting,
    cell: ({ waiting, turn }) =>
      waiting === 0 && turn === null ? (
        <span class="quiet">nothing</span>
      ) : (
        <StatusWord tone="wait">
          {waiting}
          {turn === 1 && ", next"}
        </StatusWord>
      ),
  },
];

/** Beside an open panel, which says the rest. */
export const NARROW_QUOTA_COLUMNS: readonly Column<AccountRow>[] = QUOTA_COLUMNS.flatMap(
  (column) => {
    if (column.id === "name") return [column];
    return ["cpu", "memory"].includes(column.id) ? [{ ...column, width: "38%" }] : [];
  },
);
