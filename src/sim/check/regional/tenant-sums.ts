/** Amounts by tenant, added up by hand. */
import { AMOUNT_NAMES } from "../models/amount-names.ts";
import type { AmountName, Amounts } from "../../../core/model/amounts.ts";

export type Sums = Record<AmountName, number>;

export const none = (): Sums => ({ cpuMillis: 0, memoryMiB: 0, deviceMillis: 0 });

export function add(to: Sums, amounts: Amounts, sign: 1 | -1 = 1): void {
  for (const name of AMOUNT_NAMES) to[name] += sign * amounts[name];
}

export function raise(to: Sums, amounts: Amounts): void {
  for (const name of AMOUNT_NAMES) to[name] = Math.max(to[name], amounts[name]);
}

/** The first amount in which `a` is larger than `b`. */
export const firstBeyond = (a: Amounts, b: Amounts): AmountName | undefined =>
  AMOUNT_NAMES.find((name) => a[name] > b[name]);
