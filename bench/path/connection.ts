/**
 * A keep-alive connection to a plane that asks one thing at a time. It does no more with an answer
 * than it must: the plane is what is measured, and its clients share the machine with it.
 */
import { connect, type Socket } from "node:net";

export interface Answer {
  readonly status: number;
  readonly body: Buffer;
}

const HEAD_END = "\r\n\r\n";

export class Connection {
  private readonly socket: Socket;
  private head = "";
  private status = 0;
  /** Bytes of the body still to come; undefined while the head is being read. */
  private missing: number | undefined;
  private parts: Buffer[] = [];
  private waiting: { answer: (answer: Answer) => void; fail: (error: Error) => void } | undefined;
  private closed: Error | undefined;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.setNoDelay(true);
    socket.on("data", (bytes) => this.read(bytes));
    socket.on("error", (error) => this.fail(error));
    socket.on("close", () => this.fail(new Error("The plane closed a connection.")));
  }

  static open(url: URL): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: url.hostname, port: Number(url.port) });
      socket.once("error", reject);
      socket.once("connect", () => {
        socket.off("error", reject);
        resolve(new Connection(socket));
      });
    });
  }

  /** A plane closes connections that were idle for long. */
  get isClosed(): boolean {
    return this.closed !== undefined;
  }

  send(request: Buffer | string): Promise<Answer> {
    return new Promise((answer, fail) => {
      if (this.closed !== undefined) {
        fail(this.closed);
        return;
      }
      this.waiting = { answer, fail };
      this.socket.write(request);
    });
  }

  /** Gives up on the answer that is still to come. */
  abandon(): void {
    this.fail(new Error("A request was not answered in time."));
    this.socket.destroy();
  }

  close(): void {
    this.waiting = undefined;
    this.socket.destroy();
  }

  private fail(error: Error): void {
    this.closed ??= error;
    const { waiting } = this;
    this.waiting = undefined;
    waiting?.fail(error);
  }

  private read(bytes: Buffer): void {
    if (this.missing !== undefined) {
      this.took(bytes);
      return;
    }
    // A head is plain ASCII; the bytes of a body that came with it are cut off by their number.
    const headBefore = this.head.length;
    this.head += bytes.toString("latin1");
    const end = this.head.indexOf(HEAD_END);
    if (end === -1) return;
    this.status = Number(this.head.slice(9, 12));
    const length = /\r\ncontent-length: (\d+)/i.exec(this.head.slice(0, end + 2))?.[1];
    if (length === undefined) {
      this.fail(new Error("An answer without a length cannot be followed."));
      return;
    }
    this.missing = Number(length);
    this.head = "";
    this.took(bytes.subarray(end + HEAD_END.length - headBefore));
  }

  private took(bytes: Buffer): void {
    if (bytes.length > 0) this.parts.push(bytes);
    this.missing = (this.missing ?? 0) - bytes.length;
    if (this.missing > 0) return;
    const body = this.parts.length === 1 ? (this.parts[0] ?? bytes) : Buffer.concat(this.parts);
    this.missing = undefined;
    this.parts = [];
    const { waiting } = this;
    this.waiting = undefined;
    waiting?.answer({ status: this.status, body });
  }
}
