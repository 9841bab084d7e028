/**
 * A row of the fleet view, read by position: ten thousand of them are looked at many times a
 * second, and none is copied.
 */
import type { FleetRow, PartsCell } from "../../../src/api/views/view-rows.ts";
import type { ViewRow } from "../live/view-message.ts";

export type { FleetRow, PartsCell };

export const RESOURCES = ["cpu", "memory", "devices"] as const;
export type Resource = (typeof RESOURCES)[number];

/** Parts of a resource, as they stand in a PartsCell after the capacity. */
export const PARTS = ["committed", "reclaimable", "reserved", "recovery", "free"] as const;
export type Part = (typeof PARTS)[number];

/**
 * From the worst to the best, which is the order in which somebody on call wants to hear of them.
 */
export const HEALTHS = ["fenced", "unknown", "suspect", "ready"] as const;
export type Health = (typeof HEALTHS)[number];

export const readFleetRow = (row: ViewRow): FleetRow => row as unknown as FleetRow;

const RESOURCE_AT = { cpu: 9, memory: 10, devices: 11 } as const;

export const partsOf = (row: FleetRow, resource: Resource): PartsCell => row[RESOURCE_AT[resource]];

export const partOf = (cell: PartsCell, part: Part): number => cell[PARTS.indexOf(part) + 1] ?? 0;

/** Used by replicas, preemptible or not. */
export const heldOf = ([, committed, reclaimable]: PartsCell): number => committed + reclaimable;

/**
 * The first of the words that `berth get nodes` shows; a health that is not known counts as
 * unknown.
 */
export function healthOf([, , , words]: FleetRow): Health {
  const comma = words.indexOf(",");
  const first = comma === -1 ? words : words.slice(0, comma);
  return HEALTHS.find((health) => health === first) ?? "unknown";
}

/**
 * What keeps work away beside the health: `cordoned`, `draining`, `held`, …; a forecast is told by
 * its supply.
 */
export const heldBackBy = ([, , , words]: FleetRow): readonly string[] =>
  words
    .split(",")
    .slice(1)
    .filter((word) => word !== "only a forecast");

export const isSoft = ([, , , , , , , , supply]: FleetRow): boolean => supply === "soft";

/** What a filter looks at: name, region, zone, the words of its health, and who holds it back. */
export function subjectOf(row: FleetRow): string {
  const [node, region, zone, health, , , cordons, drain, supply] = row;
  const holders = cordons.map(({ by, why }) => `${by} ${why}`).join(" ");
  return `${node} ${region} ${zone} ${health} ${supply} ${holders} ${drain?.by ?? ""} ${drain?.why ?? ""}`;
}

const collator = new Intl.Collator("en", { numeric: true });

/** Most neighbours are of one region and zone, which is seen without comparing letters. */
const byName = (a: string, b: string): number => (a === b ? 0 : collator.compare(a, b));

/** Region, zone, then name with its numbers as numbers: `n2` before `n10`. */
export const inPlace = (a: FleetRow, b: FleetRow): number =>
  byName(a[1], b[1]) || byName(a[2], b[2]) || byName(a[0], b[0]);
