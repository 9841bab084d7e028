/**
 * Quantities as Kubernetes users write them: `500m` or `1.5` CPUs, `256Mi` or `4Gi` of memory.
 * Inside they are whole milli-CPUs, whole MiB and thousandths of a device; a text that does not
 * come out whole is refused, never rounded.
 */
export const CPU_FORM = "CPUs such as 2, 1.5 or 500m";
export const DEVICE_FORM = "devices such as 2, 0.5 or 500m";
export const MEMORY_FORM = "memory such as 256Mi or 4Gi";

/**
 * Why a text is not a quantity: `too-fine` is smaller than the unit inside, `too-large` not
 * countable.
 */
export type QuantityFault = "malformed" | "negative" | "too-fine" | "too-large";

interface Scale {
  /** What one of each suffix is worth, in the smallest thing that can be written. */
  readonly suffixes: Readonly<Record<string, bigint>>;
  /** How many of the smallest thing make one of the unit inside. */
  readonly unit: bigint;
}

const CPU: Scale = { suffixes: { "": 1000n, m: 1n }, unit: 1n };

const MEMORY: Scale = {
  suffixes: {
    "": 1n,
    k: 10n ** 3n,
    M: 10n ** 6n,
    G: 10n ** 9n,
    T: 10n ** 12n,
    P: 10n ** 15n,
    Ki: 2n ** 10n,
    Mi: 2n ** 20n,
    Gi: 2n ** 30n,
    Ti: 2n ** 40n,
    Pi: 2n ** 50n,
  },
  unit: 2n ** 20n,
};

/** Longer than any quantity a person means; it bounds the work of reading an absurd one. */
const LONGEST_TEXT = 40;

export const readCpu = (text: string): number | QuantityFault => read(text, CPU);
/** In thousandths of a device. */
export const readDevices = (text: string): number | QuantityFault => read(text, CPU);
export const readMemory = (text: string): number | QuantityFault => read(text, MEMORY);

export const parseCpu = (text: string): number | undefined => numberOnly(readCpu(text));
export const parseDevices = (text: string): number | undefined => numberOnly(readDevices(text));
export const parseMemory = (text: string): number | undefined => numberOnly(readMemory(text));

export function formatCpu(millis: number): string | number {
  return millis % 1000 === 0 ? millis / 1000 : `${millis}m`;
}

export const formatDevices = formatCpu;

export function formatMemory(mib: number): string | number {
  if (mib === 0) return 0;
  return mib % 1024 === 0 ? `${mib / 1024}Gi` : `${mib}Mi`;
}

/**
 * In whole numbers throughout: 1.1 CPUs must be 1100, not 1100.0000000000002, and 1.0000001 no
 * quantity.
 */
function read(text: string, { suffixes, unit }: Scale): number | QuantityFault {
  const match = /^(-?)(\d+)(?:\.(\d+))?([a-zA-Z]*)$/.exec(text.trim());
  if (!match || text.length > LONGEST_TEXT) return "malformed";
  const [, sign, wholeDigits = "", fractionDigits = "", suffix = ""] = match;
  const worth = Object.hasOwn(suffixes, suffix) ? suffixes[suffix] : undefined;
  if (worth === undefined) return "malformed";
  const written = BigInt(wholeDigits + fractionDigits) * worth;
  if (sign === "-" && written !== 0n) return "negative";
  const divisor = 10n ** BigInt(fractionDigits.length) * unit;
  if (written % divisor !== 0n) return "too-fine";
  const value = written / divisor;
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? "too-large" : Number(value);
}

function numberOnly(value: number | QuantityFault): number | undefined {
  return typeof value === "number" ? value : undefined;
}
