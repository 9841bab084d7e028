/**
 * Quantities as Kubernetes users write them: `500m` or `1.5` CPUs, `256Mi` or `4Gi` of memory.
 * Inside they are whole milli-CPUs, whole MiB and thousandths of a device; a text that does not
 * come out whole is refused. Only memory in powers of ten, such as `64M`, is rounded up to a MiB.
 */
export const CPU_FORM = "CPUs such as 2, 1.5 or 500m";
export const DEVICE_FORM = "devices such as 2, 0.5 or 500m";
export const MEMORY_FORM = "memory such as 256Mi, 4Gi or 64M";

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
  /** Suffixes that seldom come out whole: they are rounded up, from one unit on. */
  readonly rounded?: ReadonlySet<string>;
  /** How many units one of a suffix is, of those that always come out whole. */
  readonly whole: Readonly<Record<string, number>>;
}

const CPU: Scale = {
  suffixes: { "": 1000n, m: 1n },
  unit: 1n,
  whole: { "": 1000, m: 1 },
};

/** `12e6`, in place of a suffix. */
const EXPONENT = "e";

const MEMORY: Scale = {
  suffixes: {
    "": 1n,
    k: 10n ** 3n,
    M: 10n ** 6n,
    G: 10n ** 9n,
    T: 10n ** 12n,
    P: 10n ** 15n,
    E: 10n ** 18n,
    Ki: 2n ** 10n,
    Mi: 2n ** 20n,
    Gi: 2n ** 30n,
    Ti: 2n ** 40n,
    Pi: 2n ** 50n,
    Ei: 2n ** 60n,
  },
  unit: 2n ** 20n,
  rounded: new Set(["k", "M", "G", "T", "P", "E", EXPONENT]),
  whole: { Mi: 1, Gi: 1_024, Ti: 1_048_576 },
};

const DIGIT_0 = 48;
const PLAIN_DIGITS = 6;

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
function read(text: string, scale: Scale): number | QuantityFault {
  return readPlain(text, scale) ?? readAny(text, scale);
}

/** Most of what people write: `2`, `500m`, `256Mi`; so few digits that their product is exact. */
function readPlain(text: string, { whole }: Scale): number | undefined {
  let digits = 0;
  let at = 0;
  for (; at < text.length && at <= PLAIN_DIGITS; at += 1) {
    const digit = text.charCodeAt(at) - DIGIT_0;
    if (digit < 0 || digit > 9) break;
    digits = digits * 10 + digit;
  }
  if (at === 0 || at > PLAIN_DIGITS || text.length - at > 2) return undefined;
  const suffix = text.slice(at);
  const units = Object.hasOwn(whole, suffix) ? whole[suffix] : undefined;
  return units === undefined ? undefined : digits * units;
}

function readAny(text: string, { suffixes, unit, rounded }: Scale): number | QuantityFault {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE](-?\d{1,2})|([a-zA-Z]*))$/.exec(text.trim());
  if (!match || text.length > LONGEST_TEXT) return "malformed";
  const [, sign, wholeDigits = "", fractionDigits = "", exponent, suffix = ""] = match;
  const worth = Object.hasOwn(suffixes, suffix) ? suffixes[suffix] : undefined;
  if (worth === undefined) return "malformed";
  const tens = Number(exponent ?? 0) - fractionDigits.length;
  const written = BigInt(wholeDigits + fractionDigits) * worth * 10n ** BigInt(Math.max(tens, 0));
  if (sign === "-" && written !== 0n) return "negative";
  const divisor = 10n ** BigInt(Math.max(-tens, 0)) * unit;
  const isWhole = written % divisor === 0n;
  const mayRound = rounded?.has(exponent === undefined ? suffix : EXPONENT) === true;
  if (!isWhole && !(mayRound && written > divisor)) return "too-fine";
  const value = written / divisor + (isWhole ? 0n : 1n);
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? "too-large" : Number(value);
}

function numberOnly(value: number | QuantityFault): number | undefined {
  return typeof value === "number" ? value : undefined;
}
