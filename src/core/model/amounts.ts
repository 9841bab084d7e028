/**
 * Quantities are integers: milli-CPU, MiB, whole devices. Floating point would make a decision depend on
 * the order in which it was summed.
 */
export interface Amounts {
  readonly cpuMillis: number;
  readonly memoryMiB: number;
  readonly devices: number;
}

export const NOTHING: Amounts = { cpuMillis: 0, memoryMiB: 0, devices: 0 };

export function plus(a: Amounts, b: Amounts): Amounts {
  return {
    cpuMillis: a.cpuMillis + b.cpuMillis,
    memoryMiB: a.memoryMiB + b.memoryMiB,
    devices: a.devices + b.devices,
  };
}

export function minus(a: Amounts, b: Amounts): Amounts {
  return {
    cpuMillis: a.cpuMillis - b.cpuMillis,
    memoryMiB: a.memoryMiB - b.memoryMiB,
    devices: a.devices - b.devices,
  };
}

export type AmountName = keyof Amounts;
export const AMOUNT_NAMES: readonly AmountName[] = ["cpuMillis", "memoryMiB", "devices"];

/** The first quantity of `ask` that does not fit into `room`, or undefined when all fit. */
export function shortage(ask: Amounts, room: Amounts): AmountName | undefined {
  if (ask.cpuMillis > room.cpuMillis) return "cpuMillis";
  if (ask.memoryMiB > room.memoryMiB) return "memoryMiB";
  if (ask.devices > room.devices) return "devices";
  return undefined;
}

export function equalAmounts(a: Amounts, b: Amounts): boolean {
  return a.cpuMillis === b.cpuMillis && a.memoryMiB === b.memoryMiB && a.devices === b.devices;
}
