/**
 * A keep-alive connection that asks one thing at a time. It reads no more of an answer than its status and
 * its length: what is measured is the server, and the client shares the machine with it.
 */
import { connect, type Socket } from "node:net";

const HEAD_END = "\r\n\r\n";

export class Connection {
  private readonly socket: Socket;
  private head = "";
  /** Bytes of the body still to come; undefined while the head is being read. */
  private missing: number | undefined;
  private status = 0;
  private isClosed = false;
  private answer: ((status: number) => void) | undefined;
  private fail: ((error: Error) => void) | undefined;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.setNoDelay(true);
    socket.on("data", (bytes) => this.read(bytes));
    socket.on("error", (error) => this.fail?.(error));
    socket.on("close", () => {
      this.isClosed = true;
      this.fail?.(new Error("The server closed a connection."));
    });
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

  /** The status of the answer, once all of it is there. */
  send(request: Buffer | string): Promise<number> {
    return new Promise((answer, fail) => {
      this.answer = answer;
      this.fail = fail;
      if (this.isClosed) fail(new Error("The server has closed a connection."));
      else this.socket.write(request);
    });
  }

  /** Gives up on the answer that is still to come. */
  abandon(): void {
    this.fail?.(new Error("A request was not answered in time."));
    this.socket.destroy();
  }

  close(): void {
    this.fail = undefined;
    this.socket.destroy();
  }

  private read(bytes: Buffer): void {
    if (this.missing !== undefined) {
      this.took(bytes.length);
      return;
    }
    this.head += bytes.toString("latin1");
    const end = this.head.indexOf(HEAD_END);
    if (end === -1) return;
    this.status = Number(this.head.slice(9, 12));
    const length = /\r\ncontent-length: (\d+)/i.exec(this.head.slice(0, end))?.[1];
    if (length === undefined) {
      this.fail?.(new Error("An answer without a length cannot be followed."));
      return;
    }
    this.missing = Number(length);
    const body = this.head.length - end - HEAD_END.length;
    this.head = "";
    this.took(body);
  }

  private took(bytes: number): void {
    this.missing = (this.missing ?? 0) - bytes;
    if (this.missing > 0) return;
    this.missing = undefined;
    this.answer?.(this.status);
  }
}
