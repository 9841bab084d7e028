/**
 * Which cell is where on the map, which is at a point, and which comes next in a direction: all by
 * arithmetic.
 */
import { ZONE_LABEL_PX, ZONE_PAD, type ZoneBox, type ZoneLayout } from "./zone-layout.ts";

export interface CellPlace {
  readonly x: number;
  readonly y: number;
}

export type Direction = "left" | "right" | "up" | "down";

export function placeOf({ zones, cell }: ZoneLayout, index: number): CellPlace | undefined {
  const zone = zoneOf(zones, index);
  if (zone === undefined) return undefined;
  const at = index - zone.first;
  return {
    x: zone.x + ZONE_PAD + (at % zone.columns) * (cell.width + cell.gap),
    y: zone.y + ZONE_LABEL_PX + Math.floor(at / zone.columns) * (cell.height + cell.gap),
  };
}

/** Zones stand in the order of their cells, so that the one of a cell is found by halving. */
export function zoneOf(zones: readonly ZoneBox[], index: number): ZoneBox | undefined {
  let [low, high] = [0, zones.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const zone = zones[middle];
    if (zone === undefined) return undefined;
    if (index < zone.first) high = middle - 1;
    else if (index >= zone.first + zone.nodes) low = middle + 1;
    else return zone;
  }
  return undefined;
}

/** The gap after a cell belongs to it: a click between two small cells means one of them. */
export function cellAt({ zones, cell }: ZoneLayout, { x, y }: CellPlace): number | undefined {
  for (const zone of zones) {
    const column = Math.floor((x - zone.x - ZONE_PAD) / (cell.width + cell.gap));
    const row = Math.floor((y - zone.y - ZONE_LABEL_PX) / (cell.height + cell.gap));
    if (column < 0 || column >= zone.columns || row < 0) continue;
    const at = row * zone.columns + column;
    if (at < zone.nodes) return zone.first + at;
  }
  return undefined;
}

const STEP: Readonly<Record<Direction, CellPlace>> = {
  left: { x: -1, y: 0 },
  right: { x: 1, y: 0 },
  up: { x: 0, y: -1 },
  down: { x: 0, y: 1 },
};

/**
 * The neighbour in the same zone, else the nearest cell of a zone that lies in that direction; at
 * the edge, itself.
 */
export function nextCell(layout: ZoneLayout, index: number, direction: Direction): number {
  const zone = zoneOf(layout.zones, index);
  const from = placeOf(layout, index);
  if (zone === undefined || from === undefined) return 0;
  const within = neighbourIn(zone, index, direction);
  if (within !== undefined) return within;
  const step = STEP[direction];
  let best = index;
  let bestFar = Number.POSITIVE_INFINITY;
  for (const other of layout.zones) {
    if (other === zone || other.nodes === 0) continue;
    const near = nearestIn(layout, other, from);
    const place = placeOf(layout, near);
    if (place === undefined) continue;
    const along = (place.x - from.x) * step.x + (place.y - from.y) * step.y;
    const across = Math.abs((place.x - from.x) * step.y) + Math.abs((place.y - from.y) * step.x);
    // Straight ahead is nearer than aside, as people aim.
    const far = along + 2 * across;
    if (along > 0 && far < bestFar) [best, bestFar] = [near, far];
  }
  return best;
}

function neighbourIn(
  { first, nodes, columns }: ZoneBox,
  index: number,
  direction: Direction,
): number | undefined {
  const at = index - first;
  const { x, y } = STEP[direction];
  const column = (at % columns) + x;
  const to = at + x + y * columns;
  return column < 0 || column >= columns || to < 0 || to >= nodes ? undefined : first + to;
}

function nearestIn({ cell }: ZoneLayout, zone: ZoneBox, from: CellPlace): number {
  const { x, y, columns, nodes, first } = zone;
  const rows = Math.ceil(nodes / columns);
  const column = Math.round((from.x - x - ZONE_PAD) / (cell.width + cell.gap));
  const row = Math.round((from.y - y - ZONE_LABEL_PX) / (cell.height + cell.gap));
  const at = clamp(row, rows - 1) * columns + clamp(column, columns - 1);
  return first + Math.min(at, nodes - 1);
}

const clamp = (at: number, last: number): number => Math.max(0, Math.min(last, at));
