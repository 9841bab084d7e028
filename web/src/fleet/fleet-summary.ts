/**
 * The fleet in a few numbers: how many nodes are how, and what of which resource is held, kept and
 * free.
 */
import type { ViewRow } from "../live/view-message.ts";
import {
  type FleetRow,
  type Health,
  HEALTHS,
  healthOf,
  heldBackBy,
  isSoft,
  partsOf,
  readFleetRow,
  RESOURCES,
  type Resource,
} from "./fleet-row.ts";

export interface FleetSummary {
  /** Without forecasts. */
  readonly nodes: number;
  readonly soft: number;
  readonly healths: Readonly<Record<Health, number>>;
  readonly cordoned: number;
  readonly draining: number;
  /** Kept from new work for something else: flapping, a wrong clock. */
  readonly held: number;
  readonly replicas: number;
  readonly leaving: number;
  readonly mostReplicas: number;
  /** Capacity, then the parts, of hard nodes. */
  readonly hard: Readonly<Record<Resource, readonly number[]>>;
  /** Of what is free, on nodes that nothing can be started on: silent ones and lost ones. */
  readonly outOfReach: Readonly<Record<Resource, number>>;
  /** Capacity of forecasts. */
  readonly forecast: Readonly<Record<Resource, number>>;
}

/** A PartsCell has as many numbers. */
const PARTS_AND_CAPACITY = 6;
/** Where the free part stands in one. */
const FREE = 5;

const isReady = (row: FleetRow): boolean => healthOf(row) === "ready";

type Counted = { -readonly [Key in keyof FleetSummary]: FleetSummary[Key] } & {
  readonly healths: Record<Health, number>;
  readonly hard: Record<Resource, number[]>;
  readonly outOfReach: Record<Resource, number>;
  readonly forecast: Record<Resource, number>;
};

export function sumUpFleet(rows: Iterable<ViewRow>): FleetSummary {
  const sum: Counted = {
    nodes: 0,
    soft: 0,
    healths: Object.fromEntries(HEALTHS.map((health) => [health, 0])) as Record<Health, number>,
    cordoned: 0,
    draining: 0,
    held: 0,
    replicas: 0,
    leaving: 0,
    mostReplicas: 0,
    hard: { cpu: zeros(), memory: zeros(), devices: zeros() },
    outOfReach: { cpu: 0, memory: 0, devices: 0 },
    forecast: { cpu: 0, memory: 0, devices: 0 },
  };
  for (const row of rows) add(sum, readFleetRow(row));
  return sum;
}

const zeros = (): number[] => Array.from({ length: PARTS_AND_CAPACITY }, () => 0);

function add(sum: Counted, row: FleetRow): void {
  if (isSoft(row)) {
    sum.soft += 1;
    for (const resource of RESOURCES) sum.forecast[resource] += partsOf(row, resource)[0];
    return;
  }
  const [, , , words, , , , , , , , , replicas, leaving] = row;
  sum.nodes += 1;
  sum.healths[healthOf(row)] += 1;
  sum.replicas += replicas;
  sum.leaving += leaving;
  sum.mostReplicas = Math.max(sum.mostReplicas, replicas);
  for (const resource of RESOURCES) {
    const total = sum.hard[resource];
    const parts = partsOf(row, resource);
    parts.forEach((amount, at) => (total[at] = (total[at] ?? 0) + amount));
    if (!isReady(row)) sum.outOfReach[resource] += parts[FREE] ?? 0;
  }
  if (words === "ready") return;
  const why = heldBackBy(row);
  if (why.includes("cordoned")) sum.cordoned += 1;
  if (why.includes("draining")) sum.draining += 1;
  if (why.some((word) => word !== "cordoned" && word !== "draining")) sum.held += 1;
}
