/**
 * How gRPC puts messages on a stream: a byte that says whether it is compressed, four for the
 * length, the message.
 */

const HEADER_BYTES = 5;

export function frameMessage(message: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(HEADER_BYTES + message.length);
  // Never compressed: etcd would not read it.
  frame[0] = 0;
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, HEADER_BYTES);
  return frame;
}

/** Cuts what arrives, in whatever pieces, back into messages. */
export class FrameCutter {
  private waiting: Buffer[] = [];
  private length = 0;
  /** Known once the header of the next message is there. */
  private wanted = HEADER_BYTES;

  push(piece: Buffer): readonly Uint8Array[] {
    this.waiting.push(piece);
    this.length += piece.length;
    const messages: Uint8Array[] = [];
    // Joined only when a whole message is there: a large one arrives in hundreds of pieces.
    while (this.length >= this.wanted) {
      const joined = this.waiting.length === 1 ? piece : Buffer.concat(this.waiting, this.length);
      this.wanted = HEADER_BYTES + joined.readUInt32BE(1);
      this.waiting = [joined];
      if (this.length < this.wanted) break;
      messages.push(joined.subarray(HEADER_BYTES, this.wanted));
      const rest = joined.subarray(this.wanted);
      this.waiting = [rest];
      this.length = rest.length;
      this.wanted = HEADER_BYTES;
      piece = rest;
    }
    return messages;
  }
}
