/**
 * Quantities as Kubernetes users write them: `500m` or `1.5` CPUs, `256Mi` or `4Gi` of memory. Inside they
 * are whole milli-CPUs and whole MiB; a text that does not come out whole is refused, never rounded.
 */
export const CPU_FORM = "CPUs such as 2, 1.5 or 500m";
export const MEMORY_FORM = "memory such as 256Mi or 4Gi";

const BYTES: Readonly<Record<string, number>> = {
  "": 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
};

export function parseCpu(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(m?)$/.exec(text.trim());
  if (!match) return undefined;
  const millis = Number(match[1]) * (match[2] === "m" ? 1 : 1000);
  return whole(millis);
}

export function formatCpu(millis: number): string | number {
  return millis % 1000 === 0 ? millis / 1000 : `${millis}m`;
}

export function parseMemory(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(k|M|G|T|Ki|Mi|Gi|Ti)?$/.exec(text.trim());
  if (!match) return undefined;
  const bytes = Number(match[1]) * (BYTES[match[2] ?? ""] ?? Number.NaN);
  return whole(bytes / 2 ** 20);
}

export function formatMemory(mib: number): string | number {
  if (mib === 0) return 0;
  return mib % 1024 === 0 ? `${mib / 1024}Gi` : `${mib}Mi`;
}

/** Decimal fractions are not exact in binary: 1.1 CPUs must be 1100, not 1100.0000000000002. */
function whole(value: number): number | undefined {
  const rounded = Math.round(value);
  return Number.isSafeInteger(rounded) && Math.abs(value - rounded) < 1e-6 ? rounded : undefined;
}
