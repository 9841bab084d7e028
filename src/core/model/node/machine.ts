/**
 * What a machine really has, as its agent finds it at its start. The Node object says what somebody
 * declared, and may be older than the machine's last repair.
 */
import type { Amounts } from "../amounts.ts";
import type { NodeDriver } from "./driver-name.ts";

export interface Machine {
  /** CPU and memory; its devices are counted by their names. */
  readonly capacity: Pick<Amounts, "cpuMillis" | "memoryMiB">;
  readonly deviceIds: readonly string[];
  /** What it cannot do for its processes, in sentences for people. */
  readonly notes: readonly string[];
  /** Left out: it runs plain processes. */
  readonly drivers?: readonly NodeDriver[];
}

/** Before an agent was told what is under it: nothing fits there. */
export const NO_MACHINE: Machine = {
  capacity: { cpuMillis: 0, memoryMiB: 0 },
  deviceIds: [],
  notes: [],
};
