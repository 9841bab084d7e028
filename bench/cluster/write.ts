/** Acknowledged writes, on the clock that processes share, and their statistics. */

export interface Write {
  readonly number: number;
  /** The plane it was sent to. */
  readonly plane: number;
  readonly sentMs: number;
  readonly ackedMs: number;
}

export interface Written {
  /** In the order of their acknowledgements. */
  readonly writes: readonly Write[];
  /** Since the beginning. */
  readonly acknowledged: number;
  readonly failed: number;
}

/**
 * The first acknowledged write that was sent after a moment. The previous leader may have
 * acknowledged an earlier one, whose answer only came late.
 */
export const firstSentAfter = (writes: readonly Write[], ms: number): Write | undefined =>
  writes.find(({ sentMs }) => sentMs > ms);

/** The longest time without an acknowledgement, from the last one before a moment on. */
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
