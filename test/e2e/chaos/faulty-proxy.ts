/**
 * A TCP proxy in front of the plane that a test can make slow or cut. A cut breaks nothing: bytes stay where they are, in
 * both directions, and arrive when it is over, as those of a real network do that is mended before anybody gave up.
 */
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export class FaultyProxy {
  private readonly server: Server;
  /** The same at a socket in the file system, when somebody asked for it. */
  private local: Server | undefined;
  private readonly sockets = new Set<Socket>();
  private readonly target: { readonly host: string; readonly port: number };
  private delayMs = 0;
  /** Settles when the cut is over; undefined while there is none. */
  private cutOver: Promise<void> | undefined;
  private mend: () => void = () => {};
  /** How many pieces were held back by a cut or made late: a fault that hit nothing proves nothing. */
  held = 0;
  slowed = 0;

  constructor(target: FaultyProxy["target"]) {
    this.target = target;
    this.server = this.createServer();
  }

  private createServer(): Server {
    // Either side may have more to hear after it has said its last.
    return createServer({ allowHalfOpen: true }, (near) => {
      const far = connect({ ...this.target, allowHalfOpen: true });
      this.carry(near, far);
      this.carry(far, near);
    });
  }

  async listenAt(path: string): Promise<void> {
    const local = this.createServer();
    this.local = local;
    await new Promise<void>((resolve) => local.listen(path, resolve));
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) =>
      this.server.listen({ host: "127.0.0.1", port: 0 }, resolve),
    );
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  cut(): void {
    if (this.cutOver !== undefined) return;
    this.cutOver = new Promise((resolve) => (this.mend = resolve));
  }

  /** Neither cut nor slow from now on. */
  heal(): void {
    this.delayMs = 0;
    this.cutOver = undefined;
    this.mend();
  }

  slowDown(delayMs: number): void {
    this.delayMs = delayMs;
  }

  close(): void {
    this.heal();
    this.server.close();
    this.local?.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private carry(from: Socket, to: Socket): void {
    this.sockets.add(from);
    // What ends it is in the stream's own end; an error only says it a second time.
    from.on("error", () => {});
    from.once("close", () => this.sockets.delete(from));
    void this.pass(from, to).catch(() => {
      from.destroy();
      to.destroy();
    });
  }

  private async pass(from: Socket, to: Socket): Promise<void> {
    // A stream that is read to its end is destroyed otherwise, and the other direction with it.
    const pieces = from.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
    for await (const piece of pieces) {
      while (this.cutOver !== undefined) {
        this.held += 1;
        await this.cutOver;
      }
      if (this.delayMs > 0) {
        this.slowed += 1;
        await sleep(this.delayMs);
      }
      to.write(piece);
    }
    await this.cutOver;
    to.end();
  }
}
