/**
 * Requests that ask for a WebSocket go through the same hooks and routes as all others: caller,
 * bounds and errors are those of every request, and a route takes the connection over in the end.
 * Other upgrades are not offered: such a request is served as if it had not asked.
 */
import { type IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { Server as TlsServer } from "node:tls";
import type { FastifyInstance, FastifyRequest } from "fastify";

export interface Upgrade {
  readonly socket: Duplex;
  readonly head: Buffer;
}

const upgrades = new WeakMap<IncomingMessage, Upgrade>();

/** Undefined: an ordinary request. */
export const upgradeOf = ({ raw }: FastifyRequest): Upgrade | undefined => upgrades.get(raw);

const isForSession = ({ headers, method }: IncomingMessage): boolean =>
  method === "GET" && headers.upgrade?.toLowerCase() === "websocket";

export function acceptUpgrades(app: FastifyInstance): void {
  const { server } = app;
  // The listener that serves connections comes with the server, before all others.
  const event = server instanceof TlsServer ? "secureConnection" : "connection";
  const [serve] = server.listeners(event);
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!isForSession(request)) {
      socket.unshift(Buffer.concat([headOf(request), head]));
      serve?.call(server, socket);
      return;
    }
    // It may end before a route has taken it over.
    socket.on("error", () => socket.destroy());
    upgrades.set(request, { socket, head });
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket as Socket);
    // A refusal is an ordinary answer, after which the connection ends.
    response.once("finish", () => socket.end());
    server.emit("request", request, response);
  });
}

/** The request as it came, without the wish for another protocol. */
function headOf({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    if (!/^(?:upgrade|connection|http2-settings)$/i.test(name)) {
      lines.push(`${name}: ${rawHeaders[at + 1]}`);
    }
  }
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
}
