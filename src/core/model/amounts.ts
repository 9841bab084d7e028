/**
 * Quantities are integers: milli-CPU, MiB, thousandths of a device. Floating point would make a
 * decision depend on the order in which it was summed.
 */
export interface Amounts {
  readonly cpuMillis: number;
  readonly memoryMiB: number;
  /** 1000 for each whole device. */
  readonly deviceMillis: number;
}

export const NOTHING: Amounts = { cpuMillis: 0, memoryMiB: 0, deviceMillis: 0 };

export function plus(a: Amounts, b: Amounts): Amounts {
  return {
    cpuMillis: a.cpuMillis + b.cpuMillis,
    memoryMiB: a.memoryMiB + b.memoryMiB,
    deviceMillis: a.deviceMillis + b.deviceMillis,
  };
}

export function minus(a: Amounts, b: Amounts): Amounts {
  return {
    cpuMillis: a.cpuMillis - b.cpuMillis,
    memoryMiB: a.memoryMiB - b.memoryMiB,
    deviceMillis: a.deviceMillis - b.deviceMillis,
  };
}

export type AmountName = keyof Amounts;
export const AMOUNT_NAMES: readonly AmountName[] = ["cpuMillis", "memoryMiB", "deviceMillis"];

/** The first quantity of `ask` that does not fit into `room`, or undefined when all fit. */
export function shortage(ask: Amounts, room: Amounts): AmountName | undefined {
  if (ask.cpuMillis > room.cpuMillis) return "cpuMillis";
  if (ask.memoryMiB > room.memoryMiB) return "memoryMiB";
  if (ask.deviceMillis > room.deviceMillis) return "deviceMillis";
  return undefined;
}

export function equalAmounts(a: Amounts, b: Amounts): boolean {
  return (
    a.cpuMillis === b.cpuMillis && a.memoryMiB === b.memoryMiB && a.deviceMillis === b.deviceMillis
  );
}

export const times = (amounts: Amounts, count: number): Amounts => ({
  cpuMillis: amounts.cpuMillis * count,
  memoryMiB: amounts.memoryMiB * count,
  deviceMillis: amounts.deviceMillis * count,
});
