/** How full a node would be with the ask on it, in points: 1000 when nothing at all is left. */
import { type AskShape, type Fleet, WHOLE_UNIT } from "../fleet/fleet.ts";

/** Devices count when the ask wants some; the mean of what counts. */
export function fullnessAfter(fleet: Fleet, row: number, shape: AskShape): number {
  const cpu = taken(fleet.cpuTotal[row] ?? 0, (fleet.cpuFree[row] ?? 0) - shape.cpuMillis);
  const memory = taken(fleet.memoryTotal[row] ?? 0, (fleet.memoryFree[row] ?? 0) - shape.memoryMiB);
  if (shape.units === 0) return (cpu + memory) >> 1;
  const units = (fleet.unitStart[row + 1] ?? 0) - (fleet.unitStart[row] ?? 0);
  const left = (fleet.millisFree[row] ?? 0) - shape.units * shape.unitMillis;
  return Math.floor((cpu + memory + taken(units * WHOLE_UNIT, left)) / 3);
}

/** Per mille of the whole. */
const taken = (whole: number, left: number): number =>
  whole === 0 ? 0 : Math.floor(((whole - left) * 1000) / whole);
