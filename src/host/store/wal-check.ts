/**
 * Looks for damage inside SQLite's write-ahead file, which SQLite itself takes for its end: it
 * reads up to the first broken frame and drops the rest without a word, acknowledged commits and
 * all.
 *
 * A crash may leave anything of the one transaction that was being written, but nothing comes after
 * it: a transaction is begun only when the one before is durable. So a frame that goes on from the
 * end of a transaction proves that this end was durable, and that what is broken before it broke
 * later.
 *
 * The format is SQLite's and does not change: https://sqlite.org/fileformat2.html#walformat
 */
import { readFileSync } from "node:fs";

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** The last bit of the magic number says in which byte order checksums are summed. */
const MAGIC = 0x377f0682;

type Sums = readonly [number, number];

/**
 * What is wrong with the write-ahead file, or undefined when it ends the way a crash may end it.
 */
export function findWalDamage(path: string): string | undefined {
  const bytes = read(path);
  if (bytes.length <= HEADER_BYTES) return undefined;
  const magic = bytes.readUInt32BE(0);
  const isLittle = magic === MAGIC;
  const header = addTo([0, 0], bytes.subarray(0, 24), isLittle);
  if ((magic & ~1) !== MAGIC || !same(header, bytes, 24)) {
    return `the header of ${path} is broken`;
  }
  const frameBytes = FRAME_HEADER_BYTES + bytes.readUInt32BE(8);
  const frames: Buffer[] = [];
  for (let at = HEADER_BYTES; at + frameBytes <= bytes.length; at += frameBytes) {
    frames.push(bytes.subarray(at, at + frameBytes));
  }
  const good = countGood(frames, { header: bytes, sums: header, isLittle });
  const proof = frames.findIndex((frame, at) => {
    const next = frames[at + 1];
    if (at < good || next === undefined || !isOf(frame, bytes) || !isOf(next, bytes)) return false;
    return endsOne(frame) && same(sumsAfter(storedSums(frame), next, isLittle), next, 16);
  });
  if (proof === -1) return undefined;
  return `frame ${good + 1} of ${path} is broken, though frame ${proof + 1} and what follows it were durable`;
}

interface Start {
  readonly header: Buffer;
  readonly sums: Sums;
  readonly isLittle: boolean;
}

/**
 * How many frames from the beginning belong to this round of the file and carry the right checksum.
 */
function countGood(frames: readonly Buffer[], { header, sums, isLittle }: Start): number {
  let running = sums;
  for (const [at, frame] of frames.entries()) {
    if (!isOf(frame, header)) return at;
    running = sumsAfter(running, frame, isLittle);
    if (!same(running, frame, 16)) return at;
  }
  return frames.length;
}

/** Each frame's checksum goes on from that of the frame before. */
function sumsAfter(before: Sums, frame: Buffer, isLittle: boolean): Sums {
  const sums = addTo(before, frame.subarray(0, 8), isLittle);
  return addTo(sums, frame.subarray(FRAME_HEADER_BYTES), isLittle);
}

const storedSums = (frame: Buffer): Sums => [frame.readUInt32BE(16), frame.readUInt32BE(20)];

/** The file is written over from its beginning again and again; the salt tells the rounds apart. */
const isOf = (frame: Buffer, header: Buffer): boolean => frame.compare(header, 16, 24, 8, 16) === 0;

/** The last frame of a transaction says how long the database is after it. */
const endsOne = (frame: Buffer): boolean => frame.readUInt32BE(4) !== 0;

const same = ([first, second]: Sums, bytes: Buffer, at: number): boolean =>
  bytes.readUInt32BE(at) === first && bytes.readUInt32BE(at + 4) === second;

function addTo([first, second]: Sums, bytes: Buffer, isLittle: boolean): Sums {
  let a = first;
  let b = second;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < bytes.length; at += 8) {
    a = (a + view.getUint32(at, isLittle) + b) >>> 0;
    b = (b + view.getUint32(at + 4, isLittle) + a) >>> 0;
  }
  return [a, b];
}

function read(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") {
      return Buffer.alloc(0);
    }
    throw error;
  }
}
