/** Asks a server for a WebSocket that speaks of sessions. */
import type { ClientRequest, IncomingMessage } from "node:http";
import { PROTOCOLS } from "./channels.ts";
import { acceptOf, newKey, WebSocketLink } from "./web-socket.ts";

/** A server that says nothing for so long is not there. */
const ANSWER_MS = 30_000;

export const upgradeHeaders = (): Record<string, string> => ({
  connection: "Upgrade",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": newKey(),
  "sec-websocket-protocol": PROTOCOLS.join(", "),
});

/** What the server answered instead of a WebSocket. */
export class NoWebSocket extends Error {
  override readonly name = "NoWebSocket";
  readonly response: IncomingMessage;

  constructor(response: IncomingMessage) {
    super(`it answered ${response.statusCode}`);
    this.response = response;
  }
}

/** `request` has the headers of an upgrade, and is ended here. */
export function openWebSocket(request: ClientRequest): Promise<WebSocketLink> {
  return new Promise((resolve, reject) => {
    const key = String(request.getHeader("sec-websocket-key"));
    const late = setTimeout(() => request.destroy(new Error("timed out")), ANSWER_MS);
    request.once("close", () => clearTimeout(late));
    request.once("error", reject);
    request.once("response", (response: IncomingMessage) => reject(new NoWebSocket(response)));
    request.once("upgrade", (response: IncomingMessage, socket, head: Buffer) => {
      clearTimeout(late);
      if (response.headers["sec-websocket-accept"] === acceptOf(key)) {
        resolve(new WebSocketLink({ socket, head, side: "client" }));
      } else {
        socket.destroy();
        reject(new Error("its answer does not belong to the request"));
      }
    });
    request.end();
  });
}
