/**
 * How a log's writer keeps within its size, as the three numbers of its script: it copies portions
 * of so many blocks, and begins a new file when another portion might not fit. A block is what it
 * reads at once, so small writes make small blocks, and a portion is anything from a few lines to
 * its full size.
 */
export interface LogSizes {
  readonly blockBytes: number;
  readonly blocks: number;
  /** A file that is larger takes no further portion. */
  readonly fullBytes: number;
}

/** A quarter of what a pipe holds. */
const BLOCK_BYTES = 16 * 1_024;
/**
 * Each portion costs two short-lived processes, so they are large; what they leave unused is less
 * than half.
 */
const PORTIONS = 2.5;

export function logSizes(limitBytes: number): LogSizes {
  const blockBytes = Math.min(BLOCK_BYTES, Math.max(1, Math.floor(limitBytes / 2)));
  const blocks = Math.max(1, Math.floor(limitBytes / PORTIONS / blockBytes));
  return { blockBytes, blocks, fullBytes: limitBytes - blocks * blockBytes };
}
