/** Quantities with defaults that fit a default node many times over. */
import type { Amounts } from "../../src/core/model/amounts.ts";

export const amounts = (of: Partial<Amounts> = {}): Amounts => ({
  cpuMillis: 100,
  memoryMiB: 100,
  deviceMillis: 0,
  ...of,
});
