/**
 * Whether a row has room for an ask, and which of its units would be taken. The same check as the
 * room rules of `feasibility/`, on columns; a property test holds the two against each other.
 */
import { type AskShape, type Fleet, WHOLE_UNIT } from "./fleet.ts";

export function hasRoom(fleet: Fleet, row: number, shape: AskShape): boolean {
  if ((fleet.cpuFree[row] ?? 0) < shape.cpuMillis) return false;
  if ((fleet.memoryFree[row] ?? 0) < shape.memoryMiB) return false;
  if ((fleet.replicasLeft[row] ?? 0) < 1) return false;
  // Also of an ask without devices: a node that lost some below its use takes nothing new (BD4).
  if ((fleet.deviceMillisLeft[row] ?? 0) < shape.units * shape.unitMillis) return false;
  if (shape.units === 0) return true;
  let found = 0;
  const end = fleet.unitStart[row + 1] ?? 0;
  for (let unit = fleet.unitStart[row] ?? 0; unit < end; unit += 1) {
    if (!unitFits(fleet, unit, shape)) continue;
    found += 1;
    if (found === shape.units) return true;
  }
  return false;
}

export function unitFits(fleet: Fleet, unit: number, shape: AskShape): boolean {
  if ((fleet.unitFree[unit] ?? 0) < shape.unitMillis) return false;
  return shape.kinds === undefined || shape.kinds[fleet.unitKind[unit] ?? 0] === 1;
}

/** The tightest unit for a share, the first idle ones for whole devices. The row must have room. */
export function tightestUnits(fleet: Fleet, row: number, shape: AskShape): readonly number[] {
  const taken: number[] = [];
  const end = fleet.unitStart[row + 1] ?? 0;
  let best = -1;
  for (let unit = fleet.unitStart[row] ?? 0; unit < end && taken.length < shape.units; unit += 1) {
    if (!unitFits(fleet, unit, shape)) continue;
    if (shape.unitMillis === WHOLE_UNIT) taken.push(unit);
    else if (best < 0 || (fleet.unitFree[unit] ?? 0) < (fleet.unitFree[best] ?? 0)) best = unit;
  }
  return best < 0 ? taken : [best];
}
