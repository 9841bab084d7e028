/**
 * The replicas of one workload, live. A hundred thousand of them come in pages, and are told how
 * far they are.
 */
import { useMemo } from "preact/hooks";
import { queryState } from "../app/query-state.ts";
import { hrefOf } from "../app/route.ts";
import { hrefWith } from "../app/router.ts";
import type { ObjectWatch } from "../live/object-watch.ts";
import { usePaced } from "../live/use-paced.ts";
import { ChipFilter } from "../parts/chip-filter.tsx";
import { EmptyState } from "../parts/empty-state.tsx";
import { FilterBox } from "../parts/filter-box.tsx";
import { LiveGate } from "../parts/live-gate.tsx";
import { textFilter } from "../parts/text-filter.ts";
import { VirtualTable } from "../parts/virtual-table.tsx";
import { REPLICA_COLUMNS } from "./replica-columns.tsx";
import { byIndex, countStages, type ReplicaRow } from "./replica-row.ts";

const filter = queryState("filter");
const stage = queryState("stage");
const sort = queryState("sort");
const logs = queryState("logs");

export interface ReplicaTableProps {
  readonly replicas: ObjectWatch<ReplicaRow>;
  /** How many there are by the plane's count. */
  readonly expected: number;
}

export function ReplicaTable({ replicas, expected }: ReplicaTableProps) {
  return (
    <LiveGate
      stream={replicas}
      what="the replicas"
      skeleton={<Loading loaded={replicas.loaded} expected={expected} />}
    >
      {() => <Replicas replicas={replicas} />}
    </LiveGate>
  );
}

function Replicas({ replicas }: Pick<ReplicaTableProps, "replicas">) {
  const { rows: store } = replicas;
  const version = usePaced(store);
  const all = useMemo(() => byIndex([...store.peek().values()]), [store, version]);
  const stages = useMemo(() => countStages(all), [all]);
  const rows = useMemo(() => chosen(all), [all, filter.value, stage.value]);
  if (all.length === 0) {
    return (
      <EmptyState title="It has no replicas.">
        It is scaled to 0, or no replica is admitted yet: the list of pending replicas shows why.
      </EmptyState>
    );
  }
  return (
    <>
      <div class="replica-choices">
        <ChipFilter label="Stages" parameter="stage" chips={stages} chosen={stage.value} />
        <FilterBox state={filter} label="Filter replicas" shown={rows.length} all={all.length} />
      </div>
      <VirtualTable
        label="Replicas"
        rows={rows}
        columns={REPLICA_COLUMNS}
        keyOf={keyOf}
        hrefOf={timelineHref}
        selected={logs.value}
        sort={sort}
        empty={
          <EmptyState title="No replica matches.">
            <a href={hrefWith({ filter: undefined, stage: undefined })}>Show all</a>
          </EmptyState>
        }
      />
    </>
  );
}

const keyOf = ({ metadata }: ReplicaRow): string => metadata.name;
const timelineHref = ({ metadata: { namespace = "", name } }: ReplicaRow): string =>
  hrefOf("timeline", ["replica", namespace, name]);

function chosen(all: readonly ReplicaRow[]): readonly ReplicaRow[] {
  const fits = textFilter(filter.value);
  return all.filter(
    (row) =>
      (stage.value === "" || row.stage === stage.value) &&
      (filter.value === "" || fits(`${row.metadata.name} ${row.stage} ${row.node} ${row.says}`)),
  );
}

function Loading({ loaded, expected }: { readonly loaded: number; readonly expected: number }) {
  return (
    <div class="load-progress" role="status" aria-busy="true">
      <span>
        Loading replicas: {loaded.toLocaleString("en")} of {expected.toLocaleString("en")}
      </span>
      <progress aria-label="Replicas loaded" max={Math.max(1, expected)} value={loaded} />
    </div>
  );
}
