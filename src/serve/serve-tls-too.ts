/**
 * Lets a plain HTTP server speak TLS on the same port: the first byte of a connection tells which
 * it is. The bounds on connections count every one, before its first byte. The HTTP server gets the
 * connections that speak HTTP, and the decrypted side of the others.
 */
import type { Server } from "node:http";
import type { Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { type TlsFiles, tlsOptions } from "../api/http/create-api-server.ts";

/** The first byte of every handshake of TLS; no method of HTTP begins with it. */
const HANDSHAKE = 22;

type Serve = (this: Server, socket: Socket) => void;

/** Ends the connections that have not said yet what they speak. */
export interface TlsToo {
  /** New handshakes get this certificate, and may show certificates of its authorities. */
  use(tls: TlsFiles): void;
  close(): void;
}

/** A connection has `withinMs` to send a first byte, and as long again to shake hands. */
export function serveTlsToo(server: Server, tls: TlsFiles, withinMs: number): TlsToo {
  const [serve] = server.listeners("connection") as [Serve];
  const undecided = new Undecided(withinMs);
  const shaking = new Map<string, Socket>();
  // It listens nowhere: it only shakes hands, and checks the certificate of the other side.
  const secure = createTlsServer({
    ...tlsOptions(tls),
    ALPNProtocols: ["http/1.1"],
    handshakeTimeout: withinMs,
  });
  secure.on("secureConnection", (secured) => {
    shaking.delete(peerOf(secured));
    serve.call(server, secured);
  });
  // A connection that breaks before it has asked for anything needs no answer.
  secure.on("tlsClientError", (_, socket) => socket.destroy());
  const shakeHands = (socket: Socket): void => {
    const peer = peerOf(socket);
    shaking.set(peer, socket);
    socket.once("close", () => shaking.delete(peer));
    secure.emit("connection", socket);
  };
  server.removeListener("connection", serve);
  server.on("connection", (socket: Socket) => {
    // The bounds on connections may have refused it.
    if (socket.destroyed) return;
    undecided.add(socket);
    socket.once("data", (first: Buffer) => {
      socket.pause();
      undecided.remove(socket);
      socket.unshift(first);
      if (first[0] === HANDSHAKE) return shakeHands(socket);
      serve.call(server, socket);
      // The new reader has come by then, and reads the first byte again.
      process.nextTick(() => socket.resume());
    });
  });
  return {
    use: (now) => secure.setSecureContext(tlsOptions(now)),
    close: () => {
      undecided.close();
      for (const socket of shaking.values()) socket.destroy();
    },
  };
}

/** One of each at a time. */
const peerOf = ({ remoteAddress = "", remotePort = 0 }: Socket): string =>
  `${remoteAddress} ${remotePort}`;

/** Connections that have not begun to speak HTTP, each with the time that it has left. */
class Undecided {
  private readonly timers = new Map<Socket, NodeJS.Timeout>();
  private readonly withinMs: number;

  constructor(withinMs: number) {
    this.withinMs = withinMs;
  }

  add(socket: Socket): void {
    this.timers.set(
      socket,
      setTimeout(() => socket.destroy(), this.withinMs),
    );
    socket.once("error", ignore);
    socket.once("close", () => this.remove(socket));
  }

  remove(socket: Socket): void {
    clearTimeout(this.timers.get(socket));
    this.timers.delete(socket);
    socket.removeListener("error", ignore);
  }

  close(): void {
    for (const socket of this.timers.keys()) socket.destroy();
  }
}

/** A connection that breaks before it has asked for anything needs no answer. */
function ignore(): void {}
