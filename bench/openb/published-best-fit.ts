/**
 * Best fit as the published runs had it, as a control of the protocol: half processors, half
 * devices, both against the largest node there is, rounded down to whole points.
 */
import { tightestUnits } from "../../src/core/propose/fleet/room.ts";
import type { ScoringPolicy } from "../../src/core/propose/policies/scoring-policy.ts";

/** The largest node of the published cluster. */
const MOST_CPU_MILLIS = 128_000;
const MOST_DEVICE_MILLIS = 8_000;

export const createPublishedBestFit = (): ScoringPolicy => ({
  name: "published-best-fit",
  version: 0,
  arrived: () => undefined,
  score(fleet, row, shape) {
    const cpu = ((fleet.cpuFree[row] ?? 0) - shape.cpuMillis) / MOST_CPU_MILLIS;
    const left = (fleet.millisFree[row] ?? 0) - shape.units * shape.unitMillis;
    return Math.floor(100 * (1 - 0.5 * cpu - 0.5 * (left / MOST_DEVICE_MILLIS)));
  },
  units: tightestUnits,
});
