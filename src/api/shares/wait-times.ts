/** How long requests waited, in classes that double: a bounded memory for any number of them. */

/** The upper ends of the classes, in milliseconds; the last class has none. */
export const WAIT_CLASSES_MS: readonly number[] = [
  0.25, 0.5, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024, 2_048, 4_096, 8_192, 16_384,
];

export class WaitTimes {
  readonly counts: number[] = Array.from({ length: WAIT_CLASSES_MS.length + 1 }, () => 0);
  sumMs = 0;
  count = 0;

  note(waitMs: number): void {
    const found = WAIT_CLASSES_MS.findIndex((most) => waitMs <= most);
    const at = found < 0 ? WAIT_CLASSES_MS.length : found;
    this.counts[at] = (this.counts[at] ?? 0) + 1;
    this.sumMs += waitMs;
    this.count += 1;
  }

  with(other: WaitTimes): WaitTimes {
    const both = new WaitTimes();
    for (let at = 0; at < both.counts.length; at += 1) {
      both.counts[at] = (this.counts[at] ?? 0) + (other.counts[at] ?? 0);
    }
    both.sumMs = this.sumMs + other.sumMs;
    both.count = this.count + other.count;
    return both;
  }

  /** The upper end of the class in which this part of all lies; 0 when there is none. */
  quantileMs(part: number): number {
    let left = Math.ceil(this.count * part);
    if (left === 0) return 0;
    for (const [at, count] of this.counts.entries()) {
      left -= count;
      if (left <= 0) return WAIT_CLASSES_MS[at] ?? Number.POSITIVE_INFINITY;
    }
    return Number.POSITIVE_INFINITY;
  }
}
