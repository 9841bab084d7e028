/**
 * A snapshot as few large pieces: its chunks are packed one by one, put one behind the other, and
 * cut where a piece is full. Each piece carries a checksum that hangs on the piece before.
 */
import { Buffer } from "node:buffer";
import { type Checksum, CHAIN_START, chained } from "../checksum.ts";
import { PART_BYTES } from "./batch-value.ts";
import { type Encoding, pack, unpack } from "./compression.ts";

/** Before each packed chunk: how it is packed, and how long it is. */
const FRAME_BYTES = 5;
const ENCODINGS: readonly Encoding[] = ["plain", "deflate"];

export interface Piece {
  readonly value: Uint8Array;
  readonly checksum: Checksum;
}

const checksumOf = (previous: Checksum, body: Uint8Array): Checksum =>
  chained(previous, "piece", body);

/** The pieces of these chunks, each made when it is asked for. */
export async function* piecesOf(chunks: Iterable<Uint8Array>): AsyncGenerator<Piece> {
  let checksum = CHAIN_START;
  let rest = Buffer.alloc(0);
  const next = (size: number): Piece => {
    const body = rest.subarray(0, size);
    rest = rest.subarray(size);
    checksum = checksumOf(checksum, body);
    return { checksum, value: Buffer.concat([Buffer.from(checksum), body]) };
  };
  for (const chunk of chunks) {
    const { encoding, body } = await pack(chunk);
    const frame = Buffer.alloc(FRAME_BYTES);
    frame.writeUInt8(ENCODINGS.indexOf(encoding), 0);
    frame.writeUInt32BE(body.length, 1);
    rest = Buffer.concat([rest, frame, body]);
    while (rest.length >= PART_BYTES) yield next(PART_BYTES);
  }
  if (rest.length > 0) yield next(rest.length);
}

/** Gives the chunks back. */
export class PieceReader {
  private rest: Uint8Array = Buffer.alloc(0);
  private last: Checksum = CHAIN_START;
  private read = 0;

  /**
   * The chunks that end in this piece; undefined when it is not the one that comes next, unchanged.
   */
  async add(value: Uint8Array): Promise<readonly Uint8Array[] | undefined> {
    const body = value.subarray(CHAIN_START.length);
    const checksum = checksumOf(this.last, body);
    const stated = Buffer.from(value.subarray(0, CHAIN_START.length)).toString();
    if (checksum !== stated) return undefined;
    this.last = checksum;
    this.read += 1;
    let rest = Buffer.concat([this.rest, body]);
    const chunks: Uint8Array[] = [];
    while (rest.length >= FRAME_BYTES) {
      const end = FRAME_BYTES + rest.readUInt32BE(1);
      if (rest.length < end) break;
      const encoding = ENCODINGS[rest.readUInt8(0)] ?? "plain";
      chunks.push(await unpack({ encoding, body: rest.subarray(FRAME_BYTES, end) }));
      rest = rest.subarray(end);
    }
    this.rest = rest;
    return chunks;
  }

  /** Whether what came is all of it. */
  isWhole(of: { readonly pieces: number; readonly checksum: Checksum }): boolean {
    return this.read === of.pieces && this.last === of.checksum && this.rest.length === 0;
  }
}
