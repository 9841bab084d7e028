/** The fleet: what is wrong first, then how full it is, then every node as a map or a table. */
import { useMemo } from "preact/hooks";
import { useKeys } from "../app/keys.ts";
import { usePaced } from "../live/use-paced.ts";
import { useView } from "../live/use-live.ts";
import type { ViewStream } from "../live/view-stream.ts";
import { EmptyState } from "../parts/empty-state.tsx";
import { FilterBox } from "../parts/filter-box.tsx";
import { LiveGate } from "../parts/live-gate.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { textFilter } from "../parts/text-filter.ts";
import { ToldByQueue } from "../steering/told-by-queue.tsx";
import { useAgain, useOverrides } from "../steering/use-overrides.ts";
import { LazyCharts } from "./charts/lazy-charts.tsx";
import { FleetMap } from "./fleet-map.tsx";
import { readFleetRow, subjectOf } from "./fleet-row.ts";
import { filter, measured, selected, shown, view } from "./fleet-state.ts";
import { FleetStrip } from "./fleet-strip.tsx";
import { sumUpFleet } from "./fleet-summary.ts";
import { troublesOf } from "./fleet-troubles.ts";
import "./fleet.css";
import { LazyNodeTable } from "./lazy-node-table.tsx";
import { MapLegend } from "./map-legend.tsx";
import type { Measure } from "./measure.ts";
import { MeasureChoice } from "./measure-choice.tsx";
import { NodePanel } from "./node-panel.tsx";
import { TroubleList } from "./trouble-list.tsx";

/** Sums over all nodes are for people, who read no more than a few a second. */
const FEW_TIMES_MS = 250;

const VIEWS = [
  { id: "map", label: "Map" },
  { id: "table", label: "Table" },
] as const;

export function FleetPage() {
  const fleet = useView("fleet");
  // The gate looks at every change; what is behind it has a pace of its own.
  const body = useMemo(() => <Fleet fleet={fleet} />, [fleet]);
  return (
    <>
      <PageHeader title="Fleet" />
      <LiveGate stream={fleet} what="the fleet">
        {() => body}
      </LiveGate>
    </>
  );
}

function Fleet({ fleet }: { readonly fleet: ViewStream }) {
  const { rows } = fleet;
  const version = usePaced(rows, FEW_TIMES_MS);
  const summary = useMemo(() => sumUpFleet(rows.peek().values()), [rows, version]);
  const troubles = useMemo(() => troublesOf(rows.peek().values()), [rows, version]);
  useKeys("Fleet", [
    { keys: "v", text: "Map or table", run: () => void (view.value = isTable() ? "map" : "table") },
  ]);
  const overrides = useOverrides();
  useAgain(overrides, selected.value);
  const { mostReplicas } = summary;
  const [of, shows] = [measured(), shown()];
  const measure = useMemo<Measure>(() => ({ of, shows, mostReplicas }), [of, shows, mostReplicas]);
  if (summary.nodes + summary.soft === 0) return <NoNodes />;
  return (
    <>
      <TroubleList groups={troubles} overrides={overrides.value?.items ?? []} />
      {/* Beside an open node there is no stream left for it: they are read when it is opened. */}
      {selected.value === "" && <ToldByQueue overrides={overrides} />}
      <FleetStrip summary={summary} />
      <LazyCharts />
      <Nodes fleet={fleet} measure={measure} version={version} />
      {selected.value !== "" && (
        <NodePanel name={selected.value} rows={rows} overrides={overrides.value?.items ?? []} />
      )}
    </>
  );
}

const isTable = (): boolean => view.value === "table";

function Nodes(of: {
  readonly fleet: ViewStream;
  readonly measure: Measure;
  readonly version: number;
}) {
  const { rows } = of.fleet;
  const text = filter.value.trim();
  const fits = useMemo(() => (text === "" ? undefined : textFilter(text)), [text]);
  const all = rows.peek().size;
  const left = useMemo(() => {
    if (fits === undefined) return all;
    let count = 0;
    for (const row of rows.peek().values()) if (fits(subjectOf(readFleetRow(row)))) count += 1;
    return count;
  }, [fits, all, of.version]);
  const mapped = useMemo(() => ({ measure: of.measure, fits }), [of.measure, fits]);
  return (
    <section class="fleet-nodes" aria-label="Nodes">
      <div class="fleet-bar">
        <Tabs label="Show as" parameter="show" tabs={VIEWS} current={isTable() ? "table" : "map"} />
        {!isTable() && <MeasureChoice measure={of.measure} />}
        <FilterBox state={filter} label="Filter nodes" shown={left} all={all} />
      </div>
      {isTable() ? (
        <LazyNodeTable rows={rows} fits={fits} />
      ) : (
        <>
          <FleetMap rows={rows} shown={mapped} />
          <MapLegend measure={of.measure} />
        </>
      )}
    </section>
  );
}

function NoNodes() {
  return (
    <EmptyState title="No node to show.">
      There is none yet, or your roles do not let you list nodes; an operator can. Start an agent on
      a machine to add a node: <code>berth agent --help</code>. Or create a node:{" "}
      <code>berth apply -f node.yaml</code>.
    </EmptyState>
  );
}
