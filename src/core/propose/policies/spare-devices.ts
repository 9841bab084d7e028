/** Keeps asks that need no device off nodes that have some free: devices are the scarcer good. */
import type { AskShape, Fleet } from "../fleet/fleet.ts";

/**
 * Half of what a full node scores: a device node is used for plain work when the others are that
 * much worse.
 */
const SPARE_DEVICES = 500;

export const spareDevices = (fleet: Fleet, row: number, shape: AskShape): number =>
  shape.units === 0 && (fleet.millisFree[row] ?? 0) > 0 ? SPARE_DEVICES : 0;
