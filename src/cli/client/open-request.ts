/** Sends one request to one plane and resolves with the head of its answer. */
import { type IncomingMessage, request as httpRequest } from "node:http";
import { retryAfterMs } from "../../shell/retry-pause.ts";
import type { Ask, Method } from "./api-client.ts";
import { bearerOf } from "./bearer-of.ts";
import type { Server } from "./find-server.ts";
import { ownName } from "./own-name.ts";
import { readStatus, Refusal } from "./refusal.ts";

export interface Sending {
  readonly server: Server;
  readonly url: URL;
  readonly method: Method;
  readonly path: string;
  readonly ask: Ask;
  /** Under which a write that is sent again meets its first outcome. */
  readonly key: string | undefined;
  readonly signal: AbortSignal;
  /** How long the head of the answer may take; left out: as long as the signal lets it. */
  readonly headMs?: number | undefined;
}

export async function openRequest(sending: Sending): Promise<IncomingMessage> {
  const { signal, headMs } = sending;
  if (headMs === undefined) return open(sending);
  const silent = new AbortController();
  const timer = setTimeout(() => silent.abort(), headMs);
  try {
    return await open({ ...sending, signal: AbortSignal.any([signal, silent.signal]) });
  } finally {
    clearTimeout(timer);
  }
}

async function open(sending: Sending): Promise<IncomingMessage> {
  const { url, method, path, ask, signal } = sending;
  const target = new URL(url);
  // Behind a proxy the plane may have a path of its own.
  target.pathname = `${url.pathname.replace(/\/$/, "")}${path}`;
  for (const [name, value] of Object.entries(ask.query ?? {})) {
    if (value !== undefined) target.searchParams.set(name, value);
  }
  const body = ask.body === undefined ? undefined : JSON.stringify(ask.body);
  const { ca } = sending.server;
  const token = await bearerOf(sending.server);
  // Most planes are local and without TLS, which takes a while to load.
  const isSecure = target.protocol === "https:";
  const send = isSecure ? (await import("node:https")).request : httpRequest;
  return new Promise((resolve, reject) => {
    const request = send(target, {
      method,
      headers: headersOf(sending, token),
      signal,
      ...(ca === undefined ? {} : { ca }),
    });
    request.once("response", resolve);
    request.once("error", reject);
    request.end(body);
  });
}

function headersOf(
  { ask, key, server }: Sending,
  token: string | undefined,
): Record<string, string> {
  const as = ask.as ?? ownName(server);
  return {
    accept: ask.accept ?? "application/json",
    "user-agent": "berth",
    ...(ask.body === undefined ? {} : { "content-type": ask.contentType ?? "application/json" }),
    ...(key === undefined ? {} : { "idempotency-key": key }),
    ...(as === undefined ? {} : { "berth-as": as }),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
}

/** Throws what the plane has said no with. */
export async function refuse(response: IncomingMessage): Promise<never> {
  const status = readStatus(response.statusCode ?? 500, await bodyOf(response));
  const seconds = retryAfterMs(response.headers["retry-after"]) / 1_000;
  const isAsked = seconds > 0 && status.details.retryAfterSeconds === undefined;
  const details = isAsked ? { ...status.details, retryAfterSeconds: seconds } : status.details;
  throw new Refusal({ ...status, details });
}

export async function bodyOf(response: IncomingMessage): Promise<string> {
  response.setEncoding("utf8");
  let text = "";
  for await (const part of response as AsyncIterable<string>) text += part;
  return text;
}
