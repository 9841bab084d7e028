/**
 * One HTTP/2 connection to one member, and calls over it. It knows which requests were sent, and
 * notices a member that keeps the connection and answers nothing. Whether to try elsewhere is left
 * to its user.
 */
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  type OutgoingHttpHeaders,
} from "node:http2";
import type { EtcdTls } from "./etcd-address.ts";
import { GrpcFailure } from "./grpc-failure.ts";
import { FrameCutter, frameMessage } from "./grpc-frames.ts";
import { GrpcOutcome } from "./grpc-outcome.ts";
import { PingWatch } from "./ping-watch.ts";

export interface GrpcCall {
  readonly path: string;
  readonly message: Uint8Array;
  readonly deadlineMs: number;
  readonly metadata: Readonly<Record<string, string>>;
}

export interface GrpcStreamCall {
  readonly path: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly onMessage: (message: Uint8Array) => void;
  /** Exactly once, also after `cancel`. */
  readonly onEnd: (failure: GrpcFailure) => void;
}

export interface GrpcStream {
  send(message: Uint8Array): void;
  cancel(): void;
}

export interface GrpcConnectionOptions {
  /** `host:port`. */
  readonly endpoint: string;
  readonly tls?: EtcdTls;
  readonly connectMs: number;
}

/**
 * Larger than the largest answer of the store; the 64 KiB that HTTP/2 begins with cost a round trip
 * each.
 */
const WINDOW_BYTES = 8 * 1024 * 1024;
/**
 * In MiB: a few requests and answers of etcd's largest size at once, where Node would refuse to
 * send at ten.
 */
const SESSION_MEMORY_MIB = 256;
const CANCEL = 8;

export class GrpcConnection {
  readonly endpoint: string;
  private readonly session: ClientHttp2Session;
  private readonly pings: PingWatch;
  private whyLost = "the connection was closed";
  private isOver = false;

  private constructor(endpoint: string, session: ClientHttp2Session) {
    this.endpoint = endpoint;
    this.session = session;
    this.pings = new PingWatch(session, () =>
      this.close(`${endpoint} does not answer on an open connection`),
    );
    session.on("error", (error) => (this.whyLost = error.message));
    session.once("goaway", () => (this.isOver = true));
    session.once("close", () => {
      this.isOver = true;
      this.pings.stop();
    });
  }

  /** Rejects with GrpcFailure "unsent". */
  static open({ endpoint, tls, connectMs }: GrpcConnectionOptions): Promise<GrpcConnection> {
    const session = connect(`${tls === undefined ? "http" : "https"}://${endpoint}`, {
      maxSessionMemory: SESSION_MEMORY_MIB,
      settings: { initialWindowSize: WINDOW_BYTES, enablePush: false },
      ...(tls === undefined ? {} : tlsOptions(tls)),
    });
    return new Promise((resolve, reject) => {
      const fail = (why: string): void => {
        clearTimeout(timer);
        session.destroy();
        reject(new GrpcFailure("unsent", `cannot connect to ${endpoint}: ${why}`));
      };
      const onError = (error: Error): void => fail(error.message);
      const onClose = (): void => fail("the connection was closed");
      const timer = setTimeout(() => fail(`no answer within ${connectMs} ms`), connectMs);
      session.on("error", onError).once("close", onClose);
      // Not "connect": the kernel of a machine accepts connections for a process that is stopped,
      // but only a process that runs sends its settings.
      session.once("remoteSettings", () => {
        clearTimeout(timer);
        session.off("error", onError).off("close", onClose);
        session.setLocalWindowSize(WINDOW_BYTES);
        resolve(new GrpcConnection(endpoint, session));
      });
    });
  }

  /** False when the next call needs another connection. */
  get isUsable(): boolean {
    return !this.isOver && !this.session.closed && !this.session.destroyed;
  }

  /** One message there and one back. Rejects with GrpcFailure. */
  call({ path, message, deadlineMs, metadata }: GrpcCall): Promise<Uint8Array> {
    const timeout = { "grpc-timeout": `${Math.max(1, Math.ceil(deadlineMs))}m` };
    return new Promise((resolve, reject) => {
      const outcome = new GrpcOutcome(this.endpoint);
      const stream = this.request(path, { ...metadata, ...timeout }, outcome);
      let answer: Uint8Array | undefined;
      const cutter = new FrameCutter();
      const timer = setTimeout(() => {
        outcome.lose(`${this.endpoint} did not answer within ${Math.round(deadlineMs)} ms`);
        stream.close(CANCEL);
      }, deadlineMs);
      const settled = this.pings.expectAnswer();
      stream.on("data", (piece: Buffer) => ([answer] = [...cutter.push(piece), answer]));
      stream.once("close", () => {
        clearTimeout(timer);
        settled();
        const failure = outcome.failure(stream.rstCode, this.whyLost);
        if (failure === undefined && answer !== undefined) resolve(answer);
        else reject(failure ?? new GrpcFailure("lost", `${this.endpoint} answered with nothing`));
      });
      stream.end(frameMessage(message));
    });
  }

  /** Messages both ways until it ends. Throws GrpcFailure "unsent". */
  stream({ path, metadata, onMessage, onEnd }: GrpcStreamCall): GrpcStream {
    const outcome = new GrpcOutcome(this.endpoint);
    const stream = this.request(path, metadata, outcome);
    const cutter = new FrameCutter();
    stream.on("data", (piece: Buffer) => {
      for (const message of cutter.push(piece)) onMessage(message);
    });
    stream.once("close", () => {
      const ended = new GrpcFailure("lost", `${this.endpoint} ended the stream`);
      onEnd(outcome.failure(stream.rstCode, this.whyLost) ?? ended);
    });
    return {
      send: (message) => void (stream.writable && stream.write(frameMessage(message))),
      cancel: () => stream.close(CANCEL),
    };
  }

  /** Calls under way fail as lost. */
  close(why = "the client was closed"): void {
    this.whyLost = why;
    this.isOver = true;
    this.session.destroy();
  }

  private request(
    path: string,
    metadata: Readonly<Record<string, string>>,
    outcome: GrpcOutcome,
  ): ClientHttp2Stream {
    const stream = this.begin({
      ":method": "POST",
      ":path": path,
      "content-type": "application/grpc",
      te: "trailers",
      ...metadata,
    });
    stream.on("response", (headers) => {
      this.pings.heard();
      outcome.head(headers);
    });
    stream.on("data", () => this.pings.heard());
    stream.on("trailers", (trailers) => outcome.status(trailers));
    stream.on("error", (error) => outcome.lose(error.message));
    return stream;
  }

  private begin(headers: OutgoingHttpHeaders): ClientHttp2Stream {
    if (!this.isUsable) throw new GrpcFailure("unsent", this.whyLost);
    try {
      return this.session.request(headers);
    } catch (error) {
      // Such as a connection that has used up its stream ids: another one will do.
      this.isOver = true;
      throw new GrpcFailure("unsent", (error as Error).message);
    }
  }
}

function tlsOptions({ ca, cert, key, serverName }: EtcdTls): object {
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...(serverName === undefined ? {} : { servername: serverName }),
  };
}
