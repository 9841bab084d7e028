/**
 * A connection that sends what it is given and looks only at the status and the end of the answer:
 * a flood must cost its sender less than the plane.
 */
import { connect, type Socket } from "node:net";

/** 0: the connection ended instead. */
type Answered = (status: number) => void;

const HEAD_END = "\r\n\r\n";
const LAST_CHUNK = Buffer.from("0\r\n\r\n");

export class FloodConnection {
  private readonly socket: Socket;
  private readonly wants: "whole" | "first";
  private answered: Answered | undefined;
  private head = "";
  private status = 0;
  private missing = 0;
  private isChunked = false;
  isClosed = false;

  /** `first`: an answer counts with its first bytes, as of a stream. */
  constructor(url: URL, wants: "whole" | "first") {
    this.wants = wants;
    this.socket = connect({ host: url.hostname, port: Number(url.port) });
    this.socket.setNoDelay(true);
    this.socket.on("data", (bytes) => this.read(bytes));
    this.socket.on("error", () => this.close());
    this.socket.on("close", () => this.close());
  }

  send(request: string, answered: Answered): void {
    this.answered = answered;
    if (this.isClosed) this.over(0);
    else this.socket.write(request);
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.socket.destroy();
    this.over(0);
  }

  private over(status: number): void {
    const { answered } = this;
    this.answered = undefined;
    this.status = 0;
    this.head = "";
    answered?.(status);
  }

  private read(bytes: Buffer): void {
    if (this.status !== 0) {
      this.took(bytes, bytes.length);
      return;
    }
    this.head += bytes.toString("latin1");
    const end = this.head.indexOf(HEAD_END);
    if (end < 0) return;
    this.status = Number(this.head.slice(9, 12));
    const head = this.head.slice(0, end + 2);
    const body = this.head.length - end - HEAD_END.length;
    this.isChunked = /\r\ntransfer-encoding: chunked/i.test(head);
    this.missing = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
    this.head = "";
    if (this.wants === "first") this.over(this.status);
    else this.took(bytes, body);
  }

  /** `length`: how many of the last bytes belong to the body. */
  private took(bytes: Buffer, length: number): void {
    this.missing -= length;
    const isOver = this.isChunked
      ? bytes.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK)
      : this.missing <= 0;
    if (isOver) this.over(this.status);
  }
}
