/**
 * Takes frames of a WebSocket out of the bytes of a connection, and joins those of one message. It
 * keeps no more than one message, whose size is bounded.
 */
import { applyMask, type Opcode, OPCODES } from "./write-frame.ts";

/** Clients send what a terminal or a pipe gives at once, some 32 KiB. */
export const MESSAGE_BYTES = 256 * 1024;
const CONTROL_BYTES = 125;
const CONTINUED = 0;
const KNOWN: ReadonlySet<number> = new Set(Object.values(OPCODES));

export interface FrameReaderOf {
  /** What clients send is masked, what servers send is not. */
  readonly isMasked: boolean;
  readonly onFrame: (opcode: Opcode, payload: Buffer) => void;
}

interface Head {
  readonly isLast: boolean;
  readonly opcode: number;
  readonly length: number;
  /** Of the frame before its payload. */
  readonly headBytes: number;
}

export class FrameReader {
  private readonly of: FrameReaderOf;
  private waiting: Buffer = Buffer.alloc(0);
  private parts: Buffer[] = [];
  private partsBytes = 0;
  private opcode: Opcode | undefined;

  constructor(of: FrameReaderOf) {
    this.of = of;
  }

  /** What is wrong with it, if anything: the connection ends then. */
  read(bytes: Buffer): string | undefined {
    this.waiting = this.waiting.length === 0 ? bytes : Buffer.concat([this.waiting, bytes]);
    for (;;) {
      const head = this.head();
      if (typeof head === "string") return head;
      if (head === undefined || this.waiting.length < head.headBytes + head.length)
        return undefined;
      const wrong = this.take(head);
      if (wrong !== undefined) return wrong;
    }
  }

  private head(): Head | string | undefined {
    const [first, second] = this.waiting;
    if (first === undefined || second === undefined) return undefined;
    if ((first & 0x70) !== 0) return "unknown extension";
    const isMasked = (second & 0x80) !== 0;
    if (isMasked !== this.of.isMasked) return "wrong masking";
    const short = second & 0x7f;
    const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0;
    const headBytes = 2 + lengthBytes + (isMasked ? 4 : 0);
    if (this.waiting.length < headBytes) return undefined;
    const length = this.lengthOf(short, lengthBytes);
    const opcode = first & 0x0f;
    const isControl = opcode >= OPCODES.close;
    if (length > (isControl ? CONTROL_BYTES : MESSAGE_BYTES)) return "message too long";
    return { isLast: (first & 0x80) !== 0, opcode, length, headBytes };
  }

  private lengthOf(short: number, lengthBytes: number): number {
    if (lengthBytes === 0) return short;
    if (lengthBytes === 2) return this.waiting.readUInt16BE(2);
    return Number(this.waiting.readBigUInt64BE(2));
  }

  private take({ isLast, opcode, length, headBytes }: Head): string | undefined {
    const payload = Buffer.from(this.waiting.subarray(headBytes, headBytes + length));
    if (this.of.isMasked) applyMask(payload, this.waiting.subarray(headBytes - 4, headBytes));
    this.waiting = this.waiting.subarray(headBytes + length);
    if (opcode >= OPCODES.close) {
      if (!KNOWN.has(opcode) || !isLast) return "wrong control frame";
      this.of.onFrame(opcode as Opcode, payload);
      return undefined;
    }
    return this.join(opcode, payload, isLast);
  }

  private join(opcode: number, payload: Buffer, isLast: boolean): string | undefined {
    if (opcode !== CONTINUED && !KNOWN.has(opcode)) return "unknown frame";
    const isBegun = this.opcode !== undefined;
    if ((opcode === CONTINUED) !== isBegun) return "wrong continuation";
    if (!isBegun) this.opcode = opcode as Opcode;
    this.parts.push(payload);
    this.partsBytes += payload.length;
    if (this.partsBytes > MESSAGE_BYTES) return "message too long";
    if (!isLast) return undefined;
    const whole = Buffer.concat(this.parts);
    const first = this.opcode as Opcode;
    this.parts = [];
    this.partsBytes = 0;
    this.opcode = undefined;
    this.of.onFrame(first, whole);
    return undefined;
  }
}
