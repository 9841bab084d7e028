/**
 * What each cell of the map shows, in plain numbers: a step of the colour scale and marks. Told of
 * changed rows, it says which cells look different now, so that only those are drawn again. Nothing
 * here touches the browser.
 */
import type { RowChange } from "../live/row-store.ts";
import type { ViewRow } from "../live/view-message.ts";
import { stepOf } from "./colour-scale.ts";
import {
  type FleetRow,
  type Health,
  healthOf,
  heldBackBy,
  inPlace,
  isSoft,
  readFleetRow,
} from "./fleet-row.ts";
import { type Measure, shareOf } from "./measure.ts";
import type { ZoneCount } from "./zone-layout.ts";

/** Marks are bits: the health in the lowest two, then what else there is. */
const HEALTH_BITS: Readonly<Record<Health, number>> = {
  ready: 0,
  suspect: 1,
  unknown: 2,
  fenced: 3,
};
export const HEALTH_MASK = 3;
export const CORDONED = 4;
export const DRAINING = 8;
export const SOFT = 16;
/** Held for flapping, a clock that is wrong, being deleted. */
export const HELD = 32;

type Rows = ReadonlyMap<string, ViewRow>;

export class FleetCells {
  /** By cell. */
  readonly names: readonly string[];
  readonly zones: readonly ZoneCount[];
  readonly steps: Uint8Array;
  readonly marks: Uint8Array;
  private readonly cells = new Map<string, number>();
  private readonly places: readonly string[];

  constructor(rows: Rows) {
    const sorted = [...rows.values()].map(readFleetRow).toSorted(inPlace);
    this.names = sorted.map(([node]) => node);
    this.places = sorted.map(placeText);
    this.names.forEach((name, at) => this.cells.set(name, at));
    this.zones = countZones(sorted);
    this.steps = new Uint8Array(sorted.length);
    this.marks = new Uint8Array(sorted.length);
  }

  cellOf(name: string): number | undefined {
    return this.cells.get(name);
  }

  /** Whether cells are no longer where they were: a node came, went or moved. */
  hasMoved(rows: Rows, { isAll, changed, gone }: RowChange): boolean {
    if (gone.size > 0 || rows.size !== this.names.length) return true;
    const keys = isAll ? rows.keys() : changed;
    for (const key of keys) {
      const cell = this.cells.get(key);
      const row = rows.get(key);
      if (cell === undefined || row === undefined) return true;
      if (this.places[cell] !== placeText(readFleetRow(row))) return true;
    }
    return false;
  }

  /** Looks at rows again; returns the cells that look different. */
  refresh(rows: Rows, keys: Iterable<string>, measure: Measure): readonly number[] {
    const different: number[] = [];
    for (const key of keys) {
      const cell = this.cells.get(key);
      const row = rows.get(key);
      if (cell === undefined || row === undefined) continue;
      const fleetRow = readFleetRow(row);
      const step = stepOf(shareOf(fleetRow, measure));
      const marks = marksOf(fleetRow);
      if (this.steps[cell] === step && this.marks[cell] === marks) continue;
      this.steps[cell] = step;
      this.marks[cell] = marks;
      different.push(cell);
    }
    return different;
  }
}

export function marksOf(row: FleetRow): number {
  // No agent speaks for a forecast, which is no news of it.
  let marks = isSoft(row) ? SOFT : HEALTH_BITS[healthOf(row)];
  // By far the most nodes are nothing but ready, and are not taken apart.
  if (row[3] === "ready") return marks;
  for (const word of heldBackBy(row)) {
    marks |= word === "cordoned" ? CORDONED : word === "draining" ? DRAINING : HELD;
  }
  return marks;
}

const placeText = ([, region, zone]: FleetRow): string => `${region}/${zone}`;

function countZones(sorted: readonly FleetRow[]): readonly ZoneCount[] {
  const zones: { region: string; zone: string; nodes: number }[] = [];
  for (const [, region, zone] of sorted) {
    const last = zones.at(-1);
    if (last?.region === region && last.zone === zone) last.nodes += 1;
    else zones.push({ region, zone, nodes: 1 });
  }
  return zones;
}
