/**
 * Writes that were acknowledged, on the clock that processes share, and what can be said of them.
 */

export interface Write {
  readonly number: number;
  /** Which plane it was sent to. */
  readonly plane: number;
  readonly sentMs: number;
  readonly ackedMs: number;
}

export interface Written {
  /** In the order in which they were acknowledged. */
  readonly writes: readonly Write[];
  /** Since the beginning. */
  readonly acknowledged: number;
  readonly failed: number;
}

/**
 * The first that was acknowledged of those sent after a moment. One that was sent before it may
 * have been acknowledged by whoever led until then, and only been heard of late.
 */
export const firstSentAfter = (writes: readonly Write[], ms: number): Write | undefined =>
  writes.find(({ sentMs }) => sentMs > ms);

/** The longest time in which none was acknowledged, from the last one before a moment on. */
export function longestSilence(writes: readonly Write[], fromMs: number): number {
  const lastBefore = writes.findLastIndex(({ ackedMs }) => ackedMs <= fromMs);
  let longest = 0;
  let heardMs = writes[lastBefore]?.ackedMs ?? fromMs;
  for (const { ackedMs } of writes.slice(lastBefore + 1)) {
    longest = Math.max(longest, ackedMs - heardMs);
    heardMs = ackedMs;
  }
  return longest;
}
