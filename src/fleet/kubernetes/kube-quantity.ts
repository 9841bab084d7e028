/**
 * Any quantity that Kubernetes writes, in thousandths: `100m`, `1k`, `4Gi`, `129e6`, `0.5`. Sums of
 * requests are rounded to Berth's units once, at the end, so that rounding cannot add up.
 */
const SUFFIXES: Readonly<Record<string, bigint>> = {
  n: 1n,
  u: 10n ** 3n,
  m: 10n ** 6n,
  "": 10n ** 9n,
  k: 10n ** 12n,
  M: 10n ** 15n,
  G: 10n ** 18n,
  T: 10n ** 21n,
  P: 10n ** 24n,
  E: 10n ** 27n,
  Ki: 2n ** 10n * 10n ** 9n,
  Mi: 2n ** 20n * 10n ** 9n,
  Gi: 2n ** 30n * 10n ** 9n,
  Ti: 2n ** 40n * 10n ** 9n,
  Pi: 2n ** 50n * 10n ** 9n,
  Ei: 2n ** 60n * 10n ** 9n,
};

const NANOS_PER_MILLI = 10n ** 6n;
const LONGEST_TEXT = 60;

/** In thousandths, rounded up as Kubernetes does; undefined: not a quantity. */
export function milliOf(quantity: string | number): bigint | undefined {
  const text = String(quantity);
  const match = /^\+?(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,2})|([a-zA-Z]*))$/.exec(text);
  if (match === null || text.length > LONGEST_TEXT) return undefined;
  const [, whole = "", fraction = "", exponent, suffix = ""] = match;
  const worth = Object.hasOwn(SUFFIXES, suffix) ? SUFFIXES[suffix] : undefined;
  if (worth === undefined || whole + fraction === "") return undefined;
  const tens = Number(exponent ?? 0) - fraction.length;
  const nanos = BigInt(whole + fraction) * worth * 10n ** BigInt(Math.max(tens, 0));
  const divisor = 10n ** BigInt(Math.max(-tens, 0)) * NANOS_PER_MILLI;
  return (nanos + divisor - 1n) / divisor;
}

const MEBIBYTE = 1000n * 2n ** 20n;

/** What a node offers is rounded down. */
export const mebibytesDown = (milli: bigint): number => Number(milli / MEBIBYTE);
/** What a pod requests is rounded up. */
export const mebibytesUp = (milli: bigint): number => Number((milli + MEBIBYTE - 1n) / MEBIBYTE);
/** Whole things, such as devices and pods. */
export const wholeOf = (milli: bigint): number => Number(milli / 1000n);
