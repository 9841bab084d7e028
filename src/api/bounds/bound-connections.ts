/**
 * Holds a server's sockets against the bounds on connections, and keeps a way open for health
 * checks and leases when every ordinary place is taken by a request that is being answered.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { ApiError } from "../errors.ts";
import { callerOf, isAnonymous } from "../http/caller.ts";
import { closeUnsentAnswers } from "./close-unsent-answers.ts";
import { type ConnectionBounds, ConnectionTable } from "./connection-table.ts";

/** Answered in a moment, and what must come through when nothing else does. */
const ON_RESERVE = /^\/(?:healthz|livez|readyz|commands)(?:\?|$)/;
/** Connections that are being closed count for node until they are. */
const CLOSING = 1_024;

export function boundConnections(app: FastifyInstance, bounds: ConnectionBounds): ConnectionTable {
  const table = new ConnectionTable(bounds);
  const { server } = app;
  closeUnsentAnswers(server);
  server.maxConnections = bounds.connections + bounds.connectionsReserved + CLOSING;
  const plain = new PlainSockets();
  server.on("connection", (socket: Socket) => {
    if (table.add(socket, addressOf(socket)) === "refused") {
      socket.destroy();
      return;
    }
    plain.add(socket);
    socket.once("close", () => table.remove(socket));
  });
  server.prependListener("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    const known = plain.of(socket);
    table.begin(known);
    response.once("close", () => table.end(known));
  });
  app.addHook("onRequest", ({ raw, url }, reply, done) => {
    if (!table.isReserved(plain.of(raw.socket))) {
      done();
      return;
    }
    void reply.header("Connection", "close");
    if (ON_RESERVE.test(url)) {
      done();
      return;
    }
    table.refused += 1;
    throw new ApiError(
      "too-many-requests",
      `All ${bounds.connections} connections, or ${bounds.connectionsPerAddress} of one address, are busy; this one is for health checks and leases.`,
      { retryAfterSeconds: 1 },
    );
  });
  app.addHook("preParsing", (request, _, _body, done) => {
    if (!isAnonymous(callerOf(request))) table.know(plain.of(request.raw.socket));
    done();
  });
  return table;
}

/** Finds the socket that was accepted for the one that a request came on: with TLS they are two. */
class PlainSockets {
  private readonly byPeer = new Map<string, Socket>();
  private readonly accepted = new WeakSet<Socket>();

  add(socket: Socket): void {
    this.accepted.add(socket);
    const peer = peerOf(socket);
    if (peer === undefined) return;
    this.byPeer.set(peer, socket);
    socket.once("close", () => {
      if (this.byPeer.get(peer) === socket) this.byPeer.delete(peer);
    });
  }

  of(socket: Socket): Socket {
    if (this.accepted.has(socket)) return socket;
    const peer = peerOf(socket);
    return (peer === undefined ? undefined : this.byPeer.get(peer)) ?? socket;
  }
}

const peerOf = ({ remoteAddress, remotePort }: Socket): string | undefined =>
  remoteAddress === undefined || remotePort === undefined
    ? undefined
    : `${remoteAddress} ${remotePort}`;

/** An IPv6 network of one user has 2^64 addresses, so it counts as one. */
function addressOf({ remoteAddress = "" }: Socket): string {
  if (!remoteAddress.includes(":") || remoteAddress.startsWith("::ffff:")) return remoteAddress;
  const [head = ""] = remoteAddress.split("::");
  return head.split(":").slice(0, 4).join(":") || remoteAddress;
}
