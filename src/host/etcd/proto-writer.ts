/**
 * Writes a protobuf message: the three wire forms that etcd's messages use. Fields that have their
 * default value are left out, as the format wants it. The parts are joined once, at the end,
 * because a value may be a megabyte and a transaction wraps it three times.
 */

/** Continue bit and seven bits of value, as the format defines it. */
const MORE = 0x80;
const SEVEN_BITS = 0x7f;
const VARINT = 0;
const BYTES = 2;

export class ProtoWriter {
  private readonly parts: Uint8Array[] = [];
  private length = 0;

  /** Signed numbers are written in two's complement over 64 bits. */
  int(field: number, value: number | bigint | undefined): this {
    if (value === undefined || Number(value) === 0) return this;
    this.add(Buffer.from([...varint(key(field, VARINT)), ...varint(value)]));
    return this;
  }

  flag(field: number, value: boolean | undefined): this {
    return this.int(field, value === true ? 1 : 0);
  }

  bytes(field: number, value: Uint8Array | undefined): this {
    return value === undefined || value.length === 0 ? this : this.always(field, value);
  }

  /** Also when it is empty: in a choice of fields, an empty one says which was chosen. */
  always(field: number, value: Uint8Array): this {
    this.open(field, value.length);
    this.add(value);
    return this;
  }

  text(field: number, value: string): this {
    return this.bytes(field, Buffer.from(value, "utf8"));
  }

  message(field: number, message: ProtoWriter): this {
    this.open(field, message.length);
    for (const part of message.parts) this.add(part);
    return this;
  }

  finish(): Buffer {
    return Buffer.concat(this.parts, this.length);
  }

  private open(field: number, length: number): void {
    this.add(Buffer.from([...varint(key(field, BYTES)), ...varint(length)]));
  }

  private add(part: Uint8Array): void {
    this.parts.push(part);
    this.length += part.length;
  }
}

const key = (field: number, form: number): number => field * 8 + form;

function varint(value: number | bigint): number[] {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  while (rest > BigInt(SEVEN_BITS)) {
    bytes.push(Number(rest & BigInt(SEVEN_BITS)) + MORE);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return bytes;
}
