/**
 * Lets a plain HTTP server speak TLS on the same port: the first byte of a connection tells which
 * it is. The bounds on connections count every one, before its first byte. The HTTP server gets the
 * connections that speak HTTP, and the decrypted side of the others.
 */
import type { Server } from "node:http";
import type { Socket } from "node:net";
import { createSecureContext, TLSSocket } from "node:tls";
import type { TlsFiles } from "../api/http/create-api-server.ts";

/** The first byte of every handshake of TLS; no method of HTTP begins with it. */
const HANDSHAKE = 22;

type Serve = (this: Server, socket: Socket) => void;

/** Ends the connections that have not said yet what they speak. */
export interface TlsToo {
  close(): void;
}

/** A connection has `withinMs` to send a first byte, and as long again to shake hands. */
export function serveTlsToo(server: Server, tls: TlsFiles, withinMs: number): TlsToo {
  const secureContext = createSecureContext({ ...tls });
  const [serve] = server.listeners("connection") as [Serve];
  const undecided = new Undecided(withinMs);
  const shakeHands = (socket: Socket): void => {
    const ALPNProtocols = ["http/1.1"];
    const secured = new TLSSocket(socket, { isServer: true, secureContext, ALPNProtocols });
    undecided.add(secured);
    secured.once("secure", () => {
      undecided.remove(secured);
      serve.call(server, secured);
    });
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
  return undecided;
}

/** Connections that have not begun to speak HTTP, each with the time that it has left. */
class Undecided implements TlsToo {
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
