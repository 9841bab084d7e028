/**
 * How many replicas left their nodes lately, on the counter's clock: the basis of estimates.
 * Kept in buckets, so that it takes the same few bytes whatever happens.
 */
const BUCKET_MS = 10_000;

/** Ten minutes: long enough to even out, short enough to be about today's work. */
const BUCKETS = 60;

export interface Lately {
  readonly freed: number;
  /** In how long, at most ten minutes. */
  readonly withinMs: number;
}

export class Departures {
  private readonly counts = Array.from({ length: BUCKETS }, () => 0);
  private bucket = 0;
  private sinceMs: number | undefined;
  /** Seen, and not yet given a time: changes come without one. */
  private untimed = 0;

  note(): void {
    this.untimed += 1;
  }

  lately(nowMs: number): Lately {
    this.moveTo(nowMs);
    const at = this.bucket % BUCKETS;
    this.counts[at] = (this.counts[at] ?? 0) + this.untimed;
    this.untimed = 0;
    const freed = this.counts.reduce((sum, count) => sum + count, 0);
    const sinceMs = Math.max(this.sinceMs ?? nowMs, nowMs - BUCKETS * BUCKET_MS);
    return { freed, withinMs: Math.max(1, nowMs - sinceMs) };
  }

  private moveTo(nowMs: number): void {
    const bucket = Math.floor(nowMs / BUCKET_MS);
    if (this.sinceMs === undefined) {
      this.sinceMs = nowMs;
      this.bucket = bucket;
    }
    for (let passed = 0; this.bucket < bucket && passed < BUCKETS; passed += 1) {
      this.bucket += 1;
      this.counts[this.bucket % BUCKETS] = 0;
    }
    this.bucket = Math.max(this.bucket, bucket);
  }
}
