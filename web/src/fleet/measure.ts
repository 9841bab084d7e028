/** What the map shows of each node: how much of which resource, as a share of what the node has. */
import { amountText } from "./resource-text.ts";
import {
  type FleetRow,
  heldOf,
  isSoft,
  type Part,
  partOf,
  partsOf,
  RESOURCES,
  type Resource,
} from "./fleet-row.ts";

export const SHOWN = ["held", "committed", "reclaimable", "reserved", "recovery", "free"] as const;
export type Shown = (typeof SHOWN)[number];

export const MEASURED = [...RESOURCES, "replicas"] as const;
export type Measured = (typeof MEASURED)[number];

export interface Measure {
  readonly of: Measured;
  readonly shows: Shown;
  /** The most replicas on one node; replicas have no capacity to be a share of. */
  readonly mostReplicas: number;
}

export const SHOWN_LABELS: Readonly<Record<Shown, string>> = {
  held: "in use",
  committed: "committed",
  reclaimable: "reclaimable",
  reserved: "reserved",
  recovery: "recovery reserve",
  free: "free",
};

export const MEASURED_LABELS: Readonly<Record<Measured, string>> = {
  cpu: "CPU",
  memory: "Memory",
  devices: "Devices",
  replicas: "Replicas",
};

/** Of a node that has nothing of it, and of a forecast, of which nothing is ever held. */
export const NO_SHARE = -1;

/** Between 0 and 1; more than 1 when the node holds more than it has. */
export function shareOf(row: FleetRow, measure: Measure): number {
  if (measure.of === "replicas") {
    return isSoft(row) ? NO_SHARE : row[12] / Math.max(1, measure.mostReplicas);
  }
  const parts = partsOf(row, measure.of);
  if (parts[0] === 0 || isSoft(row)) return NO_SHARE;
  return amountShown(row, measure.of, measure.shows) / parts[0];
}

function amountShown(row: FleetRow, of: Resource, shows: Shown): number {
  const parts = partsOf(row, of);
  return shows === "held" ? heldOf(parts) : partOf(parts, shows satisfies Part);
}

/** "2.5 of 4 CPU in use", "7 replicas". */
export function measureText(row: FleetRow, { of, shows }: Measure): string {
  const [, , , , , , , , , , , , replicas] = row;
  if (of === "replicas") return `${replicas} ${replicas === 1 ? "replica" : "replicas"}`;
  const [capacity] = partsOf(row, of);
  const what = of === "cpu" ? "CPU" : of;
  if (isSoft(row)) return `${amountText(capacity, of)} ${what} forecast`;
  if (capacity === 0) return `no ${what}`;
  const amount = amountText(amountShown(row, of, shows), of);
  return `${amount} of ${amountText(capacity, of)} ${what} ${SHOWN_LABELS[shows]}`;
}
