/** The replicas that wait, in the order in which they are served, each in a sentence. */
import { useMemo } from "preact/hooks";
import { reasonWords } from "../../../src/api/views/wait-words.ts";
import { queryState } from "../app/query-state.ts";
import { hrefWith } from "../app/router.ts";
import { isOfScope } from "../app/tenant-scope.ts";
import { useView } from "../live/use-live.ts";
import { useRowsAs } from "../live/use-rows-as.ts";
import type { ViewStream } from "../live/view-stream.ts";
import { ChipFilter } from "../parts/chip-filter.tsx";
import { EmptyState } from "../parts/empty-state.tsx";
import { FilterBox } from "../parts/filter-box.tsx";
import { isNarrow } from "../parts/is-narrow.ts";
import { LiveGate } from "../parts/live-gate.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { textFilter } from "../parts/text-filter.ts";
import { VirtualTable } from "../parts/virtual-table.tsx";
import "./queue.css";
import { columnsFor, NARROW_COLUMNS, PHONE_COLUMNS, PHONE_ROW_PX } from "./queue-columns.tsx";
import { OtherWaits } from "./other-waits.tsx";
import { WaitPanel } from "./wait-panel.tsx";
import { byDeadline, groupReasons, inOrder, readWait, type WaitRow } from "./wait-row.ts";

const filter = queryState("filter");
const reason = queryState("reason");
const selected = queryState("wait", { history: "push" });

export function QueuePage() {
  const queue = useView("queue");
  return (
    <>
      <PageHeader
        title="Queue"
        about="Replicas that wait for a node or for quota, in the order in which they are served."
      />
      <LiveGate stream={queue} what="the queue">
        {() => <Queue queue={queue} />}
      </LiveGate>
    </>
  );
}

function Queue({ queue }: { readonly queue: ViewStream }) {
  const all = useRowsAs(queue, readWait).filter(({ tenant }) => isOfScope(tenant));
  const waiting = useMemo(
    () => inOrder(all.filter(({ standing }) => standing === "waiting")),
    [all],
  );
  const owed = useMemo(() => byDeadline(all.filter(({ standing }) => standing === "owed")), [all]);
  const rows = useMemo(() => chosen(waiting), [waiting, filter.value, reason.value]);
  const others = useMemo(() => chosen(owed), [owed, filter.value, reason.value]);
  const open = all.find(({ wait }) => wait === selected.value);
  return (
    <div class="queue">
      <div class="queue-bar">
        <ChipFilter
          label="Reasons"
          parameter="reason"
          chosen={reason.value}
          lostText={reasonWords}
          chips={groupReasons(waiting).map(({ reason: value, waits, replicas }) => ({
            value,
            text: reasonWords(value),
            count: replicas === 0 ? waits : replicas,
          }))}
        />
        <FilterBox state={filter} label="Filter waits" shown={rows.length} all={waiting.length} />
      </div>
      <VirtualTable
        label="Waiting for room or quota"
        rows={rows}
        columns={isNarrow.value ? PHONE_COLUMNS : open ? NARROW_COLUMNS : columnsFor(waiting)}
        keyOf={keyOf}
        hrefOf={openHref}
        selected={selected.value}
        rowPx={isNarrow.value ? PHONE_ROW_PX : ROW_PX}
        mayGrow
        empty={<NothingWaits isNarrowed={waiting.length > 0} />}
      />
      <OtherWaits rows={others} />
      {open !== undefined && <WaitPanel row={open} />}
    </div>
  );
}

/** Three lines of a sentence: in a short queue a row grows with its sentence. */
const ROW_PX = 68;

const keyOf = ({ wait }: WaitRow): string => wait;
const openHref = ({ wait }: WaitRow): string => hrefWith({ wait });

function chosen(rows: readonly WaitRow[]): readonly WaitRow[] {
  const fits = textFilter(filter.value);
  return rows.filter(
    (row) =>
      (reason.value === "" || row.reason === reason.value) &&
      fits(
        `${row.subject} ${row.reason} ${reasonWords(row.reason)} ${row.owner} ${row.text} ${row.priority?.name ?? ""}`,
      ),
  );
}

function NothingWaits({ isNarrowed }: { readonly isNarrowed: boolean }) {
  if (isNarrowed) {
    return <EmptyState title="No wait matches.">Clear the filter to see all.</EmptyState>;
  }
  return (
    <EmptyState title="No replica is waiting.">
      Every desired replica has quota and a node.
    </EmptyState>
  );
}
