/** Many waiting times as the few numbers that are told of them. */

export interface Latencies {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

export function latenciesOf(waitsMs: readonly number[] | Float64Array): Latencies {
  const sorted = Float64Array.from(waitsMs).toSorted();
  return {
    p50Ms: rounded(quantile(sorted, 0.5)),
    p99Ms: rounded(quantile(sorted, 0.99)),
    maxMs: rounded(sorted.at(-1) ?? 0),
  };
}

/** The smallest value that at least this share of all values does not exceed; 0 of nothing. */
export function quantile(sorted: Float64Array, share: number): number {
  const rank = Math.max(1, Math.ceil(share * sorted.length));
  return sorted[rank - 1] ?? 0;
}

/** Two digits after the point: finer differences are the machine's mood. */
export const rounded = (value: number): number => Math.round(value * 100) / 100;
