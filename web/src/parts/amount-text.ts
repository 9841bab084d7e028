/**
 * Amounts as people say them: cores with at most two decimals, memory in the largest unit that
 * keeps it short.
 */
export function cpuText(cpuMillis: number): string {
  const cores = cpuMillis / 1_000;
  return trimmed(cores, cores < 10 ? 2 : cores < 100 ? 1 : 0);
}

const UNITS = ["Mi", "Gi", "Ti", "Pi"] as const;

export function memoryText(memoryMiB: number): string {
  let amount = memoryMiB;
  let unit = 0;
  while (amount >= 1_024 && unit < UNITS.length - 1) {
    amount /= 1_024;
    unit += 1;
  }
  return `${trimmed(amount, amount < 10 ? 1 : 0)}${UNITS[unit]}`;
}

/** Whole per cent; above nothing at least 1%, below all at most 99%. */
export function shareText(part: number, whole: number): string {
  if (whole <= 0) return part > 0 ? "over" : "0%";
  const share = (part / whole) * 100;
  if (share > 0 && share < 1) return "1%";
  if (share > 99 && share < 100) return "99%";
  return `${Math.round(share)}%`;
}

const trimmed = (amount: number, decimals: number): string =>
  String(Number(amount.toFixed(decimals)));
