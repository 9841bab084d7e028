/** All nodes as a table: the same as the map, for who reads, sorts or hears them. */
import { useMemo, useRef } from "preact/hooks";
import { hrefWith } from "../app/router.ts";
import type { RowChange, RowStore } from "../live/row-store.ts";
import type { ViewRow } from "../live/view-message.ts";
import { usePaced } from "../live/use-paced.ts";
import { EmptyState } from "../parts/empty-state.tsx";
import { VirtualTable } from "../parts/virtual-table.tsx";
import { FleetCells } from "./fleet-cells.ts";
import { type FleetRow, readFleetRow, subjectOf } from "./fleet-row.ts";
import { selected, sort } from "./fleet-state.ts";
import { useHeartbeats } from "./heartbeats.ts";
import { NARROW_NODE_COLUMNS, nodeColumns } from "./node-columns.tsx";

export interface NodeTableProps {
  readonly rows: RowStore<ViewRow>;
  readonly fits: ((subject: string) => boolean) | undefined;
}

/** Sorting is for people, who see no more than a few changes a second. */
const FEW_TIMES_MS = 400;
const EVERYTHING: RowChange = { isAll: true, changed: new Set(), gone: new Set() };
/** Narrower than this, the table shows no more than it does beside a panel. */
const NARROW = "(width < 900px)";

export function NodeTable({ rows, fits }: NodeTableProps) {
  const version = usePaced(rows, FEW_TIMES_MS);
  const order = useRef<FleetCells>(undefined);
  const sorted = useMemo(() => {
    const map = rows.peek();
    // The order of the map, as long as no column was chosen; found anew only when nodes come, go or
    // move.
    if (order.current?.hasMoved(map, EVERYTHING) !== false) order.current = new FleetCells(map);
    return order.current.names.flatMap((name) => {
      const row = map.get(name);
      return row === undefined ? [] : [readFleetRow(row)];
    });
  }, [rows, version]);
  const shown = useMemo(
    () => (fits === undefined ? sorted : sorted.filter((row) => fits(subjectOf(row)))),
    [sorted, fits],
  );
  const heartbeats = useHeartbeats();
  const columns = useMemo(() => nodeColumns(heartbeats), [heartbeats]);
  const isNarrow = selected.value !== "" || matchMedia(NARROW).matches;
  return (
    <VirtualTable
      label="Nodes"
      rows={shown}
      columns={isNarrow ? NARROW_NODE_COLUMNS : columns}
      keyOf={keyOf}
      hrefOf={openHref}
      selected={selected.value}
      sort={sort}
      empty={<EmptyState title="No node matches.">Clear the filter to see all.</EmptyState>}
    />
  );
}

const keyOf = ([node]: FleetRow): string => node;
const openHref = ([node]: FleetRow): string => hrefWith({ node });
