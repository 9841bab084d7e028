/**
 * Prefers the node that is left fullest, so that large replicas find large holes, and keeps
 * replicas that need no device off nodes that have some free.
 */
import { tightestUnits } from "../fleet/room.ts";
import { fullnessAfter } from "./fullness.ts";
import type { ScoringPolicy } from "./scoring-policy.ts";
import { spareDevices } from "./spare-devices.ts";

export const createBestFit = (): ScoringPolicy => ({
  name: "best-fit",
  version: 0,
  arrived: () => undefined,
  score: (fleet, row, shape) => fullnessAfter(fleet, row, shape) - spareDevices(fleet, row, shape),
  units: tightestUnits,
});
