/** What the table of nodes shows. */
import { shareText } from "../parts/amount-text.ts";
import { RelativeTime } from "../parts/relative-time.tsx";
import { SegmentBar } from "../parts/segment-bar.tsx";
import type { Column } from "../parts/virtual-table.tsx";
import {
  type FleetRow,
  HEALTHS,
  healthOf,
  heldOf,
  isSoft,
  partsOf,
  type Resource,
} from "./fleet-row.ts";
import { HealthWords } from "./health-words.tsx";
import { amountText, RESOURCE_LABELS } from "./resource-text.ts";

/** The fullest last, forecasts before all. */
function fullness(row: FleetRow, resource: Resource): number {
  const parts = partsOf(row, resource);
  return isSoft(row) || parts[0] === 0 ? -1 : heldOf(parts) / parts[0];
}

const use = (resource: Resource, isWideOnly = false): Column<FleetRow> => ({
  id: resource,
  title: RESOURCE_LABELS[resource],
  width: "17ch",
  isWideOnly,
  sortBy: (row) => fullness(row, resource),
  cell: (row) => <Use row={row} resource={resource} />,
});

function Use({ row, resource }: { readonly row: FleetRow; readonly resource: Resource }) {
  const [capacity, committed, reclaimable, reserved, recovery] = partsOf(row, resource);
  if (capacity === 0) return <span class="quiet">none</span>;
  if (isSoft(row)) return <span class="quiet">{amountText(capacity, resource)} forecast</span>;
  const held = committed + reclaimable;
  return (
    <span
      class="node-use"
      title={`${amountText(held, resource)} used and ${amountText(reserved + recovery, resource)} reserved of ${amountText(capacity, resource)}`}
    >
      <SegmentBar
        whole={capacity}
        segments={[
          { label: "committed", amount: committed, tone: held > capacity ? "bad" : "good" },
          { label: "reclaimable", amount: reclaimable, tone: "done" },
          { label: "reserved", amount: reserved, tone: "busy" },
          { label: "recovery", amount: recovery, tone: "wait" },
        ]}
      />
      <span>
        {shareText(held, capacity)}
        {reserved + recovery > 0 && (
          <span class="quiet">
            {" "}
            +{shareText(reserved + recovery, capacity)}
            <span class="unseen"> reserved</span>
          </span>
        )}
      </span>
    </span>
  );
}

/** A node that is ready and closed comes before one that is ready and open. */
const worstFirst = (row: FleetRow): number =>
  HEALTHS.indexOf(healthOf(row)) * 2 + (row[3] === "ready" ? 1 : 0);

const NODE: Column<FleetRow> = {
  id: "node",
  title: "Node",
  sortBy: ([node]) => node,
  cell: ([node]) => <span title={node}>{node}</span>,
};

const HEALTH: Column<FleetRow> = {
  id: "health",
  title: "Health",
  width: "19ch",
  sortBy: worstFirst,
  cell: (row) => <HealthWords row={row} />,
};

const REPLICAS: Column<FleetRow> = {
  id: "replicas",
  title: "Replicas",
  width: "10ch",
  align: "end",
  isWideOnly: true,
  sortBy: (row) => row[12],
  cell: (row) => row[12],
};

/** The heartbeats are read beside the view, and change more often than anything in it. */
export const nodeColumns = (
  heartbeats: ReadonlyMap<string, number>,
): readonly Column<FleetRow>[] => [
  NODE,
  HEALTH,
  {
    id: "since",
    title: "Since",
    width: "9ch",
    isWideOnly: true,
    sortBy: (row) => -row[4],
    cell: (row) => <RelativeTime at={row[4]} form="age" />,
  },
  {
    id: "heartbeat",
    title: "Heartbeat",
    width: "13ch",
    isWideOnly: true,
    sortBy: ([node]) => -(heartbeats.get(node) ?? 0),
    cell: ([node]) => <RelativeTime at={heartbeats.get(node)} />,
  },
  {
    id: "region",
    title: "Region, zone",
    width: "14ch",
    isWideOnly: true,
    sortBy: ([, region, zone]) => `${region}/${zone}`,
    cell: ([, region, zone]) => `${region}, ${zone}`,
  },
  use("cpu"),
  use("memory", true),
  REPLICAS,
];

/** Beside an open panel, and on a phone: what tells nodes apart. */
export const NARROW_NODE_COLUMNS: readonly Column<FleetRow>[] = [
  NODE,
  HEALTH,
  { ...use("cpu"), width: "14ch" },
];
