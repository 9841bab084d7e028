/**
 * Makes bodies smaller: etcd keeps its whole database in memory, sends every byte to every member,
 * and takes 1.5 MiB a request. Large ones are done on libuv's threads, so that the event loop goes
 * on meanwhile.
 */
import { promisify } from "node:util";
import { constants, deflateRaw, deflateRawSync, inflateRaw, inflateRawSync } from "node:zlib";

export type Encoding = "plain" | "deflate";

export interface Packed {
  readonly encoding: Encoding;
  readonly body: Uint8Array;
}

const deflateLater = promisify(deflateRaw);
const inflateLater = promisify(inflateRaw);

/**
 * The fastest level makes JSON a fifth of its size; the slower ones win little more and take
 * several times as long.
 */
const OPTIONS = { level: constants.Z_BEST_SPEED };

/**
 * A single commit. Below this the saving is a few hundred bytes, and the batch goes out sooner
 * without.
 */
const WORTH_PACKING = 2 * 1024;
/**
 * Up to here it is done in a fraction of a millisecond, which is what going to another thread and
 * back costs.
 */
const AT_ONCE = 32 * 1024;

export async function pack(body: Uint8Array): Promise<Packed> {
  if (body.length < WORTH_PACKING) return { encoding: "plain", body };
  const packed =
    body.length <= AT_ONCE ? deflateRawSync(body, OPTIONS) : await deflateLater(body, OPTIONS);
  return packed.length < body.length
    ? { encoding: "deflate", body: packed }
    : { encoding: "plain", body };
}

/** Throws what zlib throws when the bytes are not what was packed. */
export async function unpack({ encoding, body }: Packed): Promise<Uint8Array> {
  if (encoding === "plain") return body;
  return body.length <= AT_ONCE / 4 ? inflateRawSync(body) : inflateLater(body);
}
