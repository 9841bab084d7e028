/**
 * Headers that every answer has, whatever makes it: a browser takes an answer for what its type
 * says and nothing else, runs nothing in it, and shows it to no other site. The dashboard's own
 * pages say more precisely what they may load.
 */
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

const SAFE_HEADERS = {
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Cross-Origin-Resource-Policy": "same-origin",
} as const;

function add(response: ServerResponse): void {
  for (const [name, value] of Object.entries(SAFE_HEADERS)) response.setHeader(name, value);
}

export function addSafeHeaders(app: FastifyInstance): void {
  // Before any route or hook is looked for: also answers that are written past them have the
  // headers.
  app.server.prependListener("request", (_, response: ServerResponse) => add(response));
  // Node answers these by itself, before it tells of a request.
  app.server.on("checkExpectation", (_, response: ServerResponse) => {
    add(response);
    response.writeHead(417).end();
  });
  // Requests that come on no socket, as in tests.
  app.addHook("onRequest", (_, { raw }, done) => {
    if (!raw.hasHeader("X-Content-Type-Options")) add(raw);
    done();
  });
}

const STATUS_TEXTS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

/** What could not be read as a request, or did not come in time. */
export function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || socket.destroyed) return;
  if (socket.writable) {
    const status = STATUS_TEXTS[error.code ?? ""] ?? "400 Bad Request";
    const headers = Object.entries(SAFE_HEADERS).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(
      `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n${headers.join("")}\r\n`,
    );
  }
  socket.destroy(error);
}
