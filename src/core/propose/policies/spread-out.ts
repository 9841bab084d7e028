/**
 * Prefers the node that is left emptiest, so that little is lost with any one of them and each has
 * room to grow. Which device of the node a share goes to is another matter: a device that is broken
 * for nothing helps no work, so that is the tightest one.
 */
import { tightestUnits } from "../fleet/room.ts";
import { fullnessAfter } from "./fullness.ts";
import type { ScoringPolicy } from "./scoring-policy.ts";
import { spareDevices } from "./spare-devices.ts";

export const createSpreadOut = (): ScoringPolicy => ({
  name: "spread-out",
  version: 0,
  arrived: () => undefined,
  score: (fleet, row, shape) =>
    1000 - fullnessAfter(fleet, row, shape) - spareDevices(fleet, row, shape),
  units: tightestUnits,
});
