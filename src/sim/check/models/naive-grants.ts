/**
 * The most that a region may hold by a grant, as the global plane knows it, written down a second
 * time: of each amount the largest that the region has stated or may have taken over since.
 */
import type { AmountName, Amounts } from "../../../core/model/amounts.ts";
import type { Grant } from "../../../core/model/objects.ts";
import { AMOUNT_NAMES } from "./amount-names.ts";

export function mostHeld({ spec, status }: Grant): Amounts {
  const most: Record<AmountName, number> = { cpuMillis: 0, memoryMiB: 0, deviceMillis: 0 };
  if (spec.side !== "lent") return most;
  const { held, pending = [] } = status;
  const all = pending.map(({ amounts }) => amounts);
  if (held !== undefined) all.push(held);
  for (const amounts of all) {
    for (const name of AMOUNT_NAMES) if (amounts[name] > most[name]) most[name] = amounts[name];
  }
  return most;
}
