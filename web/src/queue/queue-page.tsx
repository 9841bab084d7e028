/** What waits, in the order in which it is served, why, and what is owed a look when. */
import { useMemo } from "preact/hooks";
import { queryState } from "../app/query-state.ts";
import { hrefWith } from "../app/router.ts";
import { isOfScope } from "../app/tenant-scope.ts";
import { useView } from "../live/use-live.ts";
import { useRowsAs } from "../live/use-rows-as.ts";
import type { ViewStream } from "../live/view-stream.ts";
import { ChipFilter } from "../parts/chip-filter.tsx";
import { EmptyState } from "../parts/empty-state.tsx";
import { FilterBox } from "../parts/filter-box.tsx";
import { LiveGate } from "../parts/live-gate.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { textFilter } from "../parts/text-filter.ts";
import { VirtualTable } from "../parts/virtual-table.tsx";
import "./queue.css";
import { NARROW_COLUMNS, OWED_COLUMNS, WAITING_COLUMNS } from "./queue-columns.tsx";
import { WaitPanel } from "./wait-panel.tsx";
import { byDeadline, groupReasons, inOrder, readWait, type WaitRow } from "./wait-row.ts";

const filter = queryState("filter");
const tab = queryState("tab", { fallback: "waiting" });
const reason = queryState("reason");
const selected = queryState("wait", { history: "push" });

export function QueuePage() {
  const queue = useView("queue");
  return (
    <>
      <PageHeader
        title="Queue"
        about="Every wait has a reason, the events that end it, and a time of the next retry."
      />
      <LiveGate stream={queue} what="the queue">
        {() => <Queue queue={queue} />}
      </LiveGate>
    </>
  );
}

function Queue({ queue }: { readonly queue: ViewStream }) {
  const all = useRowsAs(queue, readWait).filter(({ tenant }) => isOfScope(tenant));
  const isOwed = tab.value === "owed";
  const ofTab = useMemo(() => {
    const rows = all.filter((row) => (row.standing === "owed") === isOwed);
    return isOwed ? byDeadline(rows) : inOrder(rows);
  }, [all, isOwed]);
  const rows = useMemo(() => chosen(ofTab), [ofTab, filter.value, reason.value]);
  const open = all.find(({ wait }) => wait === selected.value);
  const waiting = all.reduce((sum, row) => sum + (row.standing === "waiting" ? 1 : 0), 0);
  return (
    <div class="queue">
      <div class="queue-bar">
        <Tabs
          label="Show"
          parameter="tab"
          current={tab.value}
          tabs={[
            { id: "waiting", label: `Waiting for room or quota (${waiting})` },
            { id: "owed", label: `Other waits (${all.length - waiting})` },
          ]}
        />
        <FilterBox state={filter} label="Filter waits" shown={rows.length} all={ofTab.length} />
      </div>
      <ChipFilter
        label="Reasons"
        parameter="reason"
        chosen={reason.value}
        chips={groupReasons(ofTab).map(({ reason: value, waits, replicas }) => ({
          value,
          count: replicas === 0 ? waits : replicas,
        }))}
      />
      <VirtualTable
        label={isOwed ? "Other waits" : "Waiting for room or quota"}
        rows={rows}
        columns={isOwed ? OWED_COLUMNS : open === undefined ? WAITING_COLUMNS : NARROW_COLUMNS}
        keyOf={keyOf}
        hrefOf={openHref}
        selected={selected.value}
        empty={<NothingWaits isOwed={isOwed} isNarrowed={ofTab.length > 0} />}
      />
      {open !== undefined && <WaitPanel row={open} />}
    </div>
  );
}

const keyOf = ({ wait }: WaitRow): string => wait;
const openHref = ({ wait }: WaitRow): string => hrefWith({ wait });

function chosen(rows: readonly WaitRow[]): readonly WaitRow[] {
  const fits = textFilter(filter.value);
  return rows.filter(
    (row) =>
      (reason.value === "" || row.reason === reason.value) &&
      fits(`${row.subject} ${row.reason} ${row.owner} ${row.text} ${row.priority?.name ?? ""}`),
  );
}

function NothingWaits({
  isOwed,
  isNarrowed,
}: {
  readonly isOwed: boolean;
  readonly isNarrowed: boolean;
}) {
  if (isNarrowed) {
    return <EmptyState title="No wait matches.">Clear the filter to see all.</EmptyState>;
  }
  return isOwed ? (
    <EmptyState title="No controller is waiting.">Everything is settled.</EmptyState>
  ) : (
    <EmptyState title="No replica is waiting.">
      Every desired replica has quota and a node.
    </EmptyState>
  );
}
