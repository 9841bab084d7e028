/**
 * Reads a protobuf message field by field. Its user asks for the next field and takes its value or
 * skips it, so that fields of newer etcds do no harm. Bytes are views into what was received.
 */

const MORE = 0x80;
const SEVEN_BITS = 0x7f;
/** Seven bytes hold 49 bits, which a number holds exactly. */
const NUMBER_BYTES = 7;
/** Sixty-four bits in groups of seven. */
const LONGEST_VARINT = 10;

export class ProtoDamaged extends Error {
  override readonly name = "ProtoDamaged";
}

export class ProtoReader {
  private readonly buffer: Uint8Array;
  private at = 0;
  private form = 0;

  constructor(buffer: Uint8Array) {
    this.buffer = buffer;
  }

  /** The number of the next field; 0 at the end of the message. */
  next(): number {
    if (this.at >= this.buffer.length) return 0;
    const key = Number(this.varint());
    this.form = key % 8;
    return Math.floor(key / 8);
  }

  /** Two's complement over 64 bits, as etcd writes its int64. */
  int64(): bigint {
    return BigInt.asIntN(64, BigInt(this.varint()));
  }

  /** Two's complement too; for what is known to be small. */
  number(): number {
    return Number(this.int64());
  }

  flag(): boolean {
    return Number(this.varint()) !== 0;
  }

  bytes(): Uint8Array {
    const length = Number(this.varint());
    const start = this.at;
    this.advance(length);
    return this.buffer.subarray(start, this.at);
  }

  text(): string {
    return Buffer.from(this.bytes()).toString("utf8");
  }

  skip(): void {
    if (this.form === 0) this.varint();
    else if (this.form === 1) this.advance(8);
    else if (this.form === 2) this.bytes();
    else if (this.form === 5) this.advance(4);
    else throw new ProtoDamaged(`Cannot read a message: wire form ${this.form} does not exist.`);
  }

  private advance(length: number): void {
    if (length > this.buffer.length - this.at) {
      throw new ProtoDamaged("Cannot read a message: it ends in the middle of a field.");
    }
    this.at += length;
  }

  private varint(): number | bigint {
    const first = this.at;
    let value = 0;
    let weight = 1;
    for (let read = 0; read < NUMBER_BYTES; read += 1) {
      const byte = this.byte();
      value += (byte & SEVEN_BITS) * weight;
      if (byte < MORE) return value;
      weight *= MORE;
    }
    this.at = first;
    return this.longVarint();
  }

  private longVarint(): bigint {
    let value = 0n;
    for (let read = 0; read < LONGEST_VARINT; read += 1) {
      const byte = this.byte();
      value |= BigInt(byte & SEVEN_BITS) << BigInt(7 * read);
      if (byte < MORE) return BigInt.asUintN(64, value);
    }
    throw new ProtoDamaged("Cannot read a message: a number has more than 64 bits.");
  }

  private byte(): number {
    const byte = this.buffer[this.at];
    if (byte === undefined) {
      throw new ProtoDamaged("Cannot read a message: it ends in the middle of a number.");
    }
    this.at += 1;
    return byte;
  }
}
