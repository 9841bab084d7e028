/**
 * All workloads: how many of each are ready, what goes on with them, and what those that stand
 * still wait for.
 */
import { useMemo } from "preact/hooks";
import { reasonWords } from "../../../src/api/views/wait-words.ts";
import { queryState } from "../app/query-state.ts";
import { hrefOf } from "../app/route.ts";
import { hrefWith } from "../app/router.ts";
import { chooseTenant, isOfScope, tenantScope } from "../app/tenant-scope.ts";
import { useView } from "../live/use-live.ts";
import { usePaced } from "../live/use-paced.ts";
import type { ViewStream } from "../live/view-stream.ts";
import { ChipFilter } from "../parts/chip-filter.tsx";
import { EmptyState } from "../parts/empty-state.tsx";
import { FilterBox } from "../parts/filter-box.tsx";
import { isNarrow } from "../parts/is-narrow.ts";
import { LiveGate } from "../parts/live-gate.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { VirtualTable } from "../parts/virtual-table.tsx";
import { chooseWorkloads, groupPending } from "./choose-workloads.ts";
import { isFine, worstFirst } from "./standing-of.ts";
import { countStatuses } from "./status-of.ts";
import { WORKLOAD_COLUMNS } from "./workload-columns.tsx";
import { readWorkload, type Workload } from "./workload-row.ts";

const filter = queryState("filter");
const reason = queryState("reason");
const status = queryState("status");
const only = queryState("only");
/** As given, the worst first, until a column is chosen. */
const sort = queryState("sort");

/** Two lines; on a phone the cause below the name has two of its own. */
const ROW_PX = 48;
const NARROW_ROW_PX = 64;

/** Rows that change places more often could not be clicked on. */
const FEW_TIMES_MS = 400;

export function WorkloadList() {
  const stream = useView("workloads");
  return (
    <>
      <PageHeader
        title="Workloads"
        about="The status of each workload, and its cause. Workloads that need attention come first."
      />
      <LiveGate stream={stream} what="the workloads">
        {() => <Workloads stream={stream} />}
      </LiveGate>
    </>
  );
}

function Workloads({ stream }: { readonly stream: ViewStream }) {
  const { rows: store } = stream;
  const version = usePaced(store, FEW_TIMES_MS);
  const all = useMemo(
    () => [...store.peek().values()].map(readWorkload).filter((each) => isOfScope(each.tenant)),
    [store, version, tenantScope.value],
  );
  const ordered = useMemo(() => worstFirst(all), [all]);
  const choice = {
    filter: filter.value,
    reason: reason.value,
    status: status.value,
    isTroubleOnly: only.value === "trouble",
  };
  const rows = useMemo(
    () => chooseWorkloads(ordered, choice),
    [ordered, choice.filter, choice.reason, choice.status, choice.isTroubleOnly],
  );
  const statuses = useMemo(() => countStatuses(all), [all]);
  const pending = useMemo(() => groupPending(all), [all]);
  if (all.length === 0) return store.peek().size === 0 ? <NoWorkloads /> : <NoneOfTenant />;
  return (
    <>
      <div class="workload-choices">
        <FilterBox state={filter} label="Filter workloads" shown={rows.length} all={all.length} />
        <TroubleOnly all={all} />
      </div>
      <ChipFilter label="Statuses" parameter="status" chips={statuses} chosen={choice.status} />
      <Pending count={pending.length}>
        <ChipFilter
          label="Reasons of pending replicas"
          parameter="reason"
          lostText={reasonWords}
          chips={pending}
          chosen={choice.reason}
        />
      </Pending>
      <VirtualTable
        label="Workloads"
        rows={rows}
        columns={WORKLOAD_COLUMNS}
        keyOf={keyOf}
        hrefOf={detailHref}
        sort={sort}
        rowPx={isNarrow.value ? NARROW_ROW_PX : ROW_PX}
        empty={<NoneLikeThat />}
      />
    </>
  );
}

const keyOf = ({ key }: Workload): string => key;
const detailHref = ({ tenant: of, name }: Workload): string => hrefOf("workloads", [of, name]);

function Pending(of: { readonly count: number; readonly children: preact.ComponentChildren }) {
  if (of.count === 0 && reason.value === "") return null;
  return (
    <div class="pending-line">
      <span class="quiet">Pending replicas, by reason</span>
      {of.children}
    </div>
  );
}

function TroubleOnly({ all }: { readonly all: readonly Workload[] }) {
  const count = useMemo(() => all.filter((workload) => !isFine(workload)).length, [all]);
  const isOn = only.value === "trouble";
  return (
    <a
      class={isOn ? "chip chip-chosen" : "chip"}
      aria-current={isOn}
      href={hrefWith({ only: isOn ? undefined : "trouble" })}
    >
      only unhealthy <strong>{count}</strong>
      {isOn && <span aria-hidden="true"> ✕</span>}
    </a>
  );
}

const NoneLikeThat = () => (
  <EmptyState title="No workload matches.">
    <a href={hrefOf("workloads")}>Show all</a>
  </EmptyState>
);

const NoneOfTenant = () => (
  <EmptyState title={`Tenant ${tenantScope.value} has no workloads.`}>
    <button type="button" class="button" onClick={() => chooseTenant("")}>
      Show all tenants
    </button>
  </EmptyState>
);

const NoWorkloads = () => (
  <EmptyState title="There are no workloads yet.">
    <p>
      A workload belongs to a tenant with a quota. From the Berth directory, these commands create
      both and run a service:
    </p>
    <pre class="commands">
      {"berth apply -f examples/tenants.yaml\nberth apply -f examples/risk-api.yaml"}
    </pre>
    <p>It appears here at once, with its reason if it waits.</p>
  </EmptyState>
);
