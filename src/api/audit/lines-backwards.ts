/**
 * The lines of a file, the last one first, a block at a time. Reading a block gives other requests
 * their turn, so that a long file blocks nothing, and a reader that has found enough leaves the
 * rest unread.
 */
import { open } from "node:fs/promises";

/** A few milliseconds of work at the most. */
export const BLOCK_BYTES = 256 * 1024;

const NEWLINE = 0x0a;

/** A file that is not there has no lines. */
export async function* linesBackwards(
  path: string,
  blockBytes = BLOCK_BYTES,
): AsyncGenerator<readonly string[]> {
  const file = await open(path, "r").catch(() => undefined);
  if (file === undefined) return;
  try {
    const { size } = await file.stat();
    // The beginning of a line whose rest stands in the block before it.
    let rest = Buffer.alloc(0);
    for (let end = size; end > 0;) {
      const start = Math.max(0, end - blockBytes);
      const block = Buffer.alloc(end - start);
      const { bytesRead } = await file.read(block, 0, block.length, start);
      const text = Buffer.concat([block.subarray(0, bytesRead), rest]);
      const cut = start === 0 ? 0 : text.indexOf(NEWLINE) + 1;
      // Without a line's end in it, the whole block is a part of one line.
      const isWhole = start === 0 || cut > 0;
      rest = Buffer.from(isWhole ? text.subarray(0, cut) : text);
      if (isWhole) yield linesIn(text.subarray(cut));
      end = start;
    }
  } finally {
    await file.close();
  }
}

const linesIn = (text: Buffer): readonly string[] =>
  text
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "")
    .toReversed();
