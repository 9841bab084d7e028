/**
 * Messages over an upgraded connection (RFC 6455), for both of its ends. A message has a bounded
 * size, a reader that is slow slows its writer down, and a peer that does not answer pings is gone.
 */
import { createHash, randomBytes } from "node:crypto";
import type { Duplex } from "node:stream";
import { FrameReader } from "./frame-reader.ts";
import { type Opcode, OPCODES, writeFrame } from "./write-frame.ts";

/** What a key is joined with before it is hashed, by the standard. */
const MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

export const acceptOf = (key: string): string =>
  createHash("sha1").update(`${key}${MAGIC}`).digest("base64");

export const newKey = (): string => randomBytes(16).toString("base64");

/** Three pings unanswered: the peer, or the way to it, is gone. */
const PING_MS = 10_000;
const SILENCE_MS = 35_000;
/** A peer that was told of the end has this long to take it. */
const CLOSING_MS = 2_000;

export interface WebSocketOf {
  readonly socket: Duplex;
  /** What came with the upgrade already. */
  readonly head: Buffer;
  readonly side: "client" | "server";
}

export class WebSocketLink {
  onMessage: (message: Buffer) => void = () => undefined;
  /** Once, whichever side ends it. `reason` is for people. */
  onEnd: (reason: string) => void = () => undefined;
  onDrain: () => void = () => undefined;
  private readonly of: WebSocketOf;
  private readonly reader: FrameReader;
  private readonly pings: NodeJS.Timeout;
  private heardMs = performance.now();
  private isEnded = false;

  constructor(of: WebSocketOf) {
    this.of = of;
    this.reader = new FrameReader({
      isMasked: of.side === "server",
      onFrame: (opcode, payload) => this.take(opcode, payload),
    });
    this.pings = setInterval(() => this.ping(), PING_MS);
    this.pings.unref();
    const { socket } = of;
    socket.on("data", (part: Buffer) => this.read(part));
    socket.on("drain", () => this.onDrain());
    socket.on("error", (error: Error) => this.ended(error.message));
    socket.on("end", () => this.destroy("the connection was closed"));
    socket.on("close", () => this.ended("the connection was closed"));
  }

  /** Called once its reader is in place. */
  begin(): void {
    if (this.of.head.length > 0) this.read(this.of.head);
  }

  get isOver(): boolean {
    return this.isEnded;
  }

  /** False: the peer is slow, and `onDrain` says when it can take more. */
  send(message: Uint8Array): boolean {
    return this.write(OPCODES.binary, message);
  }

  /** Nothing more is read until `resume`; pings are not answered meanwhile. */
  pause(): void {
    this.of.socket.pause();
  }
  resume(): void {
    this.heardMs = performance.now();
    this.of.socket.resume();
  }

  /** After what was sent before. */
  close(code = 1000, reason = ""): void {
    if (this.isEnded) return;
    const text = Buffer.from(reason, "utf8").subarray(0, 120);
    const payload = Buffer.alloc(2 + text.length);
    payload.writeUInt16BE(code);
    text.copy(payload, 2);
    this.write(OPCODES.close, payload);
    const { socket } = this.of;
    socket.end();
    setTimeout(() => socket.destroy(), CLOSING_MS).unref();
    this.ended(reason);
  }

  destroy(reason: string): void {
    this.of.socket.destroy();
    this.ended(reason);
  }

  private read(part: Buffer): void {
    if (this.isEnded) return;
    this.heardMs = performance.now();
    const wrong = this.reader.read(part);
    if (wrong !== undefined) this.close(1002, wrong);
  }

  private take(opcode: Opcode, payload: Buffer): void {
    if (this.isEnded) return;
    switch (opcode) {
      case OPCODES.text:
      case OPCODES.binary:
        this.onMessage(payload);
        return;
      case OPCODES.ping:
        this.write(OPCODES.pong, payload);
        return;
      case OPCODES.pong:
        return;
      case OPCODES.close:
        this.close(1000, payload.subarray(2).toString("utf8"));
        return;
    }
  }

  private write(opcode: Opcode, payload: Uint8Array): boolean {
    if (this.isEnded) return true;
    return this.of.socket.write(writeFrame(opcode, payload, this.of.side === "client"));
  }

  private ping(): void {
    if (performance.now() - this.heardMs > SILENCE_MS && !this.of.socket.isPaused()) {
      this.destroy("the peer does not answer");
    } else {
      this.write(OPCODES.ping, Buffer.alloc(0));
    }
  }

  private ended(reason: string): void {
    if (this.isEnded) return;
    this.isEnded = true;
    clearInterval(this.pings);
    this.onEnd(reason);
  }
}
