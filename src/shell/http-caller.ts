/** HTTP to a plane: connections that are kept, the token, and answers as text. */
import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { rootCertificates } from "node:tls";
import { AGENT_PROTOCOL, PROTOCOL_HEADER } from "./agent-protocol.ts";
import { openWebSocket, upgradeHeaders } from "./web-socket/open-web-socket.ts";
import type { WebSocketLink } from "./web-socket/web-socket.ts";
import { retryAfterMs } from "./retry-pause.ts";

export interface HttpCall {
  readonly server: URL;
  readonly method: "GET" | "POST";
  /** With its query. */
  readonly path: string;
  readonly body?: unknown;
  /** In place of a body that is sent as JSON. */
  readonly bytes?: Buffer;
  readonly signal?: AbortSignal;
}

export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
  /** How long it asks to be left alone; 0 when it does not. */
  readonly retryAfterMs: number;
}

/** How to be let in, and whom to trust. Both may change while they are used. */
export interface Credentials {
  readonly token?: string | undefined;
  /** A certificate to trust besides those the machine trusts. */
  readonly ca?: string | undefined;
  /** With which the agent shows who it is, in place of a token. */
  readonly pair?: { readonly key: string; readonly cert: string } | undefined;
}

export class HttpCaller {
  private readonly credentials: Credentials;
  private readonly http = new HttpAgent({ keepAlive: true });
  private readonly https = new HttpsAgent({ keepAlive: true });
  private trusted: string | undefined;
  private shown: Credentials["pair"];

  constructor(credentials: Credentials) {
    this.credentials = credentials;
    this.trustNow();
  }

  /** Rejects when there was no answer; every answer, good or bad, resolves. */
  async call(call: HttpCall): Promise<HttpAnswer> {
    return answerOf(await this.open(call));
  }

  /** Resolves with the head of the answer; the rest is the caller's to read. */
  open(call: HttpCall, isRetry = false): Promise<IncomingMessage> {
    const { server, method, path, body, bytes, signal } = call;
    const isSecure = server.protocol === "https:";
    this.trustNow();
    const url = new URL(path.replace(/^\//, ""), withSlash(server));
    return new Promise((resolve, reject) => {
      const send = isSecure ? httpsRequest : httpRequest;
      const asked = send(url, {
        method,
        agent: isSecure ? this.https : this.http,
        headers: this.headers(contentTypeOf(call)),
        ...(signal === undefined ? {} : { signal }),
      });
      asked.once("response", resolve);
      asked.once("error", (error: NodeJS.ErrnoException) => {
        // A kept connection may have been closed by the other side just when we took it. Commands
        // carry their operation, so sending one twice has one effect.
        const isWornOut = asked.reusedSocket && error.code === "ECONNRESET" && !isRetry;
        if (isWornOut) resolve(this.open(call, true));
        else reject(error);
      });
      asked.end(bytes ?? (body === undefined ? undefined : JSON.stringify(body)));
    });
  }

  /** A WebSocket; rejects when the server answers anything else. */
  upgrade(server: URL, path: string): Promise<WebSocketLink> {
    const isSecure = server.protocol === "https:";
    this.trustNow();
    const send = isSecure ? httpsRequest : httpRequest;
    const url = new URL(path.replace(/^\//, ""), withSlash(server));
    const { ca, cert, key } = this.https.options;
    const shown = cert === undefined ? {} : { cert, key };
    const headers = { ...this.headers(undefined), ...upgradeHeaders() };
    // A connection of its own, which is not kept.
    return openWebSocket(
      send(url, {
        headers,
        agent: false,
        ...(isSecure && ca !== undefined ? { ca } : {}),
        ...(isSecure ? shown : {}),
      }),
    );
  }

  close(): void {
    this.http.destroy();
    this.https.destroy();
  }

  /** New connections are made on what is trusted now. */
  private trustNow(): void {
    const { ca, pair } = this.credentials;
    if (pair !== this.shown) {
      this.shown = pair;
      this.https.options.cert = pair?.cert;
      this.https.options.key = pair?.key;
    }
    if (ca === this.trusted) return;
    this.trusted = ca;
    this.https.options.ca = ca === undefined ? undefined : [...rootCertificates, ca];
  }

  private headers(contentType: string | undefined): Record<string, string> {
    const { token, pair } = this.credentials;
    return {
      accept: "application/json",
      [PROTOCOL_HEADER]: `${AGENT_PROTOCOL}`,
      ...(contentType === undefined ? {} : { "content-type": contentType }),
      // A request with a token is the token's, whatever certificate its connection has.
      ...(token === undefined || pair !== undefined ? {} : { authorization: `Bearer ${token}` }),
    };
  }
}

function contentTypeOf({ body, bytes }: HttpCall): string | undefined {
  if (bytes !== undefined) return "application/octet-stream";
  return body === undefined ? undefined : "application/json";
}

/** A server may be given with a path in front of everything. */
const withSlash = (server: URL): URL =>
  server.pathname.endsWith("/") ? server : new URL(`${server.href}/`);

/** The rest of an answer that was opened. */
export async function answerOf(response: IncomingMessage): Promise<HttpAnswer> {
  const pauseMs = retryAfterMs(response.headers["retry-after"]);
  const text = await textOf(response);
  return { status: response.statusCode ?? 0, text, retryAfterMs: pauseMs };
}

async function textOf(response: IncomingMessage): Promise<string> {
  response.setEncoding("utf8");
  let text = "";
  for await (const part of response) text += String(part);
  return text;
}
