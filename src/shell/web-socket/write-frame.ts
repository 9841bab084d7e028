/** One frame of a WebSocket, whole. */
import { randomBytes } from "node:crypto";

export const OPCODES = { text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;
export type Opcode = (typeof OPCODES)[keyof typeof OPCODES];

const FIN = 0x80;
const MASKED = 0x80;
/** In place of a length: the length follows in two bytes, or in eight. */
const TWO_BYTES = 126;
const EIGHT_BYTES = 127;

/** A client masks what it sends, so that no proxy takes it for a request. */
export function writeFrame(opcode: Opcode, payload: Uint8Array, isMasked: boolean): Buffer {
  const mask = isMasked ? randomBytes(4) : Buffer.alloc(0);
  const length = lengthBytes(payload.length, isMasked ? MASKED : 0);
  const body = Buffer.from(payload);
  if (isMasked) applyMask(body, mask);
  return Buffer.concat([Buffer.from([FIN | opcode]), length, mask, body]);
}

export function applyMask(payload: Buffer, mask: Buffer): void {
  for (let at = 0; at < payload.length; at += 1) {
    payload[at] = (payload[at] ?? 0) ^ (mask[at % 4] ?? 0);
  }
}

function lengthBytes(length: number, flag: number): Buffer {
  if (length < TWO_BYTES) return Buffer.from([flag | length]);
  if (length <= 0xff_ff) {
    const bytes = Buffer.from([flag | TWO_BYTES, 0, 0]);
    bytes.writeUInt16BE(length, 1);
    return bytes;
  }
  const bytes = Buffer.alloc(9);
  bytes[0] = flag | EIGHT_BYTES;
  bytes.writeBigUInt64BE(BigInt(length), 1);
  return bytes;
}
