/**
 * A network between a client and one server that can be broken: every byte goes through here. What it does to
 * connections it does to those that are open and to those that come.
 */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
  /** Bytes were lost on the way, so nothing that comes later could be understood. */
  isBroken: boolean;
  /** Answers on their way, in the order in which they must arrive. */
  readonly late: { readonly bytes: Buffer; readonly dueMs: number }[];
}

export class TcpProxy {
  private readonly listener: Server;
  private readonly target: { readonly host: string; readonly port: number };
  private readonly pairs = new Set<Pair>();
  private mode: "open" | "cut" | "frozen" | "no-answers" = "open";
  private delayMs = 0;
  private passed = 0;

  private constructor(target: string) {
    const [host = "", port = ""] = target.split(":");
    this.target = { host, port: Number(port) };
    this.listener = createServer((client) => this.accept(client));
  }

  /** To `host:port`. */
  static async open(target: string): Promise<TcpProxy> {
    const proxy = new TcpProxy(target);
    proxy.listener.listen(0, "127.0.0.1");
    await once(proxy.listener, "listening");
    return proxy;
  }

  /** `host:port` for the client. */
  get endpoint(): string {
    return `127.0.0.1:${(this.listener.address() as AddressInfo).port}`;
  }

  /** How many bytes of requests have reached the server so far. */
  get requestBytes(): number {
    return this.passed;
  }

  /** Connections are reset, and new ones too. */
  cut(): void {
    this.mode = "cut";
    for (const pair of this.pairs) drop(pair);
  }

  /** Connections stay open and nothing passes, as when a cable is pulled. */
  freeze(): void {
    this.mode = "frozen";
  }

  /** Requests arrive and are carried out; their answers do not come back. */
  swallowAnswers(): void {
    this.mode = "no-answers";
  }

  /** Answers take this much longer, in order. */
  delay(ms: number): void {
    this.delayMs = ms;
  }

  /** Connections that have lost bytes are reset: a network that comes back does not bring those back. */
  heal(): void {
    this.mode = "open";
    this.delayMs = 0;
    for (const pair of this.pairs) if (pair.isBroken) drop(pair);
  }

  async close(): Promise<void> {
    for (const pair of this.pairs) drop(pair);
    this.listener.close();
    await once(this.listener, "close");
  }

  private accept(client: Socket): void {
    if (this.mode === "cut") {
      client.resetAndDestroy();
      return;
    }
    const pair: Pair = { client, server: connect(this.target), isBroken: false, late: [] };
    this.pairs.add(pair);
    client.on("data", (bytes: Buffer) => this.request(pair, bytes));
    pair.server.on("data", (bytes: Buffer) => this.answer(pair, bytes));
    for (const socket of [client, pair.server]) {
      socket.on("error", () => drop(pair));
      socket.once("close", () => {
        if (client.destroyed && pair.server.destroyed) this.pairs.delete(pair);
        // Who is cut off does not hear that the other has gone before the network is back.
        else if (this.mode === "frozen") pair.isBroken = true;
        else drop(pair);
      });
    }
  }

  private request(pair: Pair, bytes: Buffer): void {
    if (this.mode === "frozen") {
      pair.isBroken = true;
      return;
    }
    this.passed += bytes.length;
    pair.server.write(bytes);
  }

  private answer(pair: Pair, bytes: Buffer): void {
    if (this.mode === "frozen" || this.mode === "no-answers") {
      pair.isBroken = true;
      return;
    }
    pair.late.push({ bytes, dueMs: performance.now() + this.delayMs });
    deliver(pair);
  }
}

/** What is due, and nothing before what was sent before it, whatever the delay has become meanwhile. */
function deliver(pair: Pair): void {
  for (let next = pair.late[0]; next !== undefined; next = pair.late[0]) {
    const leftMs = next.dueMs - performance.now();
    if (leftMs > 0) {
      setTimeout(() => deliver(pair), leftMs);
      return;
    }
    pair.late.shift();
    pair.client.write(next.bytes);
  }
}

function drop({ client, server }: Pair): void {
  client.resetAndDestroy();
  server.resetAndDestroy();
}
