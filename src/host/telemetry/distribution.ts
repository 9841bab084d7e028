/**
 * How often something took how long, in buckets that are fixed from the start. It is added to for
 * every bind there is, so that adding looks through a few numbers and makes nothing.
 */
export class Distribution {
  /** Upper bounds, ascending; larger values are only in the count. */
  readonly bounds: readonly number[];
  readonly counts: number[];
  count = 0;
  sum = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = bounds.map(() => 0);
  }

  add(value: number): void {
    this.count += 1;
    this.sum += value;
    const { bounds, counts } = this;
    for (let at = 0; at < bounds.length; at += 1) {
      if (value > (bounds[at] ?? 0)) continue;
      counts[at] = (counts[at] ?? 0) + 1;
      return;
    }
  }

  /** Prometheus' way: each bucket counts what is in the smaller ones, too. */
  cumulative(): readonly (readonly [bound: number, count: number])[] {
    let sum = 0;
    return this.bounds.map((bound, at) => {
      sum += this.counts[at] ?? 0;
      return [bound, sum] as const;
    });
  }
}

/**
 * From a turn of the event loop to a job that waits for an hour: what people ask about differs by a
 * factor of three.
 */
export const WAITS_MS: readonly number[] = [
  10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000, 3_600_000,
];

/** From a batch in memory to a disk or an etcd in trouble. */
export const WRITES_MS: readonly number[] = [0.3, 1, 3, 10, 30, 100, 300, 1_000, 3_000];

/**
 * The authority makes one batch of whatever arrives meanwhile; thousands are a plane under load.
 */
export const SIZES: readonly number[] = [1, 3, 10, 30, 100, 300, 1_000, 3_000];
