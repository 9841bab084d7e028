/**
 * Talks to a plane over HTTP. A write carries a key of its own, so that one whose answer was lost is sent
 * again and meets its first outcome instead of happening twice.
 */
import { randomUUID } from "node:crypto";
import { type IncomingMessage, request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { isPassingStatus, retryAfterMs, retryPauseMs } from "../../agent/retry-pause.ts";
import { UserError } from "../errors.ts";
import type { Server } from "./find-server.ts";
import { readStatus, Refusal } from "./refusal.ts";

export interface Ask {
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly accept?: string;
  readonly contentType?: string;
  readonly body?: unknown;
  /** In whose name; left out: whoever the plane takes us for. */
  readonly as?: string;
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Nobody waits longer for one answer; watches are streams and have no such limit. */
const ANSWER_MS = 30_000;
/** A plane that restarts is back by then; one that is gone should be reported while somebody still looks. */
const TRIES = 5;
/** All tries together: whoever is told to come back later than this is told so instead. */
const TRIES_MS = 30_000;

/** Failures in the middle of a connection that was there: it may have been an old one that was kept open. */
const BROKEN: ReadonlySet<string> = new Set(["ECONNRESET", "EPIPE", "ERR_SOCKET_CLOSED"]);

export class ApiClient {
  readonly server: Server;
  /** How long a plane that nobody listens for is waited for. */
  private readonly patienceMs: number;

  constructor(server: Server, { patienceMs = 0 }: { readonly patienceMs?: number } = {}) {
    this.server = server;
    this.patienceMs = patienceMs;
  }

  async get<T>(path: string, ask: Ask = {}): Promise<T> {
    return this.send<T>("GET", path, ask);
  }

  async send<T>(method: Method, path: string, ask: Ask = {}): Promise<T> {
    const key = method === "GET" ? undefined : randomUUID();
    const beganMs = performance.now();
    for (let tries = 1; ; tries += 1) {
      try {
        return JSON.parse(await this.sendOnce(method, path, { ...ask, key })) as T;
      } catch (error) {
        const pauseMs = retryPauseMs(tries - 1, askedMsOf(error));
        const passedMs = performance.now() - beganMs;
        const isWorthIt = isPassing(error)
          ? tries < TRIES && passedMs + pauseMs < TRIES_MS
          : isRefused(error) && passedMs < this.patienceMs;
        if (!isWorthIt) throw this.explained(error);
        await sleep(pauseMs);
      }
    }
  }

  /** The lines of a stream, parsed; ends when the server ends it, throws when it cannot be opened. */
  async *lines(path: string, ask: Ask, signal: AbortSignal): AsyncGenerator {
    let response: IncomingMessage;
    try {
      response = await this.open("GET", path, { ...ask, key: undefined }, signal);
      if (response.statusCode !== 200) await refuse(response);
    } catch (error) {
      throw this.explained(error);
    }
    let rest = "";
    response.setEncoding("utf8");
    try {
      for await (const part of response as AsyncIterable<string>) {
        const lines = (rest + part).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) if (line !== "") yield JSON.parse(line) as unknown;
      }
    } catch (error) {
      // The plane went away in the middle of the stream: for the reader that is its end.
      if (!(error instanceof Error && isBroken(error)) && !signal.aborted) throw error;
    } finally {
      response.destroy();
    }
  }

  /** The bytes of a stream as text; ends when the server ends it, throws when it is refused or cut. */
  async *text(path: string, ask: Ask, signal: AbortSignal): AsyncGenerator<string> {
    try {
      const response = await this.open("GET", path, { ...ask, key: undefined }, signal);
      if (response.statusCode !== 200) await refuse(response);
      response.setEncoding("utf8");
      yield* response as AsyncIterable<string>;
    } catch (error) {
      if (!signal.aborted) throw this.explained(error);
    }
  }

  private async sendOnce(method: Method, path: string, ask: KeyedAsk): Promise<string> {
    const response = await this.open(method, path, ask, AbortSignal.timeout(ANSWER_MS));
    if ((response.statusCode ?? 500) >= 300) await refuse(response);
    return textOf(response);
  }

  private open(
    method: Method,
    path: string,
    ask: KeyedAsk,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    const { url, token, ca } = this.server;
    const target = new URL(url);
    // Behind a proxy the plane may have a path of its own.
    target.pathname = `${url.pathname.replace(/\/$/, "")}${path}`;
    for (const [name, value] of Object.entries(ask.query ?? {})) {
      if (value !== undefined) target.searchParams.set(name, value);
    }
    const body = ask.body === undefined ? undefined : JSON.stringify(ask.body);
    const headers = {
      accept: ask.accept ?? "application/json",
      "user-agent": "berth",
      ...(body === undefined ? {} : { "content-type": ask.contentType ?? "application/json" }),
      ...(ask.key === undefined ? {} : { "idempotency-key": ask.key }),
      ...(ask.as === undefined ? {} : { "impersonate-user": ask.as }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
    const send = target.protocol === "https:" ? httpsRequest : httpRequest;
    return new Promise((resolve, reject) => {
      const request = send(target, {
        method,
        headers,
        signal,
        ...(ca === undefined ? {} : { ca }),
      });
      request.once("response", resolve);
      request.once("error", reject);
      request.end(body);
    });
  }

  /** What the network has to say, with where we tried and what can be done. */
  private explained(error: unknown): unknown {
    if (error instanceof UserError || !(error instanceof Error)) return error;
    const { origin, url } = this.server;
    const { found, next } = FOUND[codeOf(error) ?? error.name] ?? { found: error.message };
    const advice =
      next ?? "Start a plane with `berth plane` or `berth up`, or say where it is with --server.";
    return new UserError(
      "plane-unreachable",
      `Asked ${url.origin} (from ${origin}): ${found}. ${advice}`,
    );
  }
}

interface Found {
  readonly found: string;
  readonly next?: string;
}

const UNTRUSTED: Found = {
  found: "its certificate is not one that is trusted here",
  next: "Name the certificate to trust with --ca-file.",
};
const SILENT: Found = { found: "it did not answer in time" };
const NO_NAME: Found = { found: "there is no machine of that name" };

const FOUND: Readonly<Record<string, Found>> = {
  ECONNREFUSED: { found: "nobody listens there" },
  ENOTFOUND: NO_NAME,
  EAI_AGAIN: NO_NAME,
  TimeoutError: SILENT,
  AbortError: SILENT,
  ABORT_ERR: SILENT,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
};

type KeyedAsk = Ask & { readonly key: string | undefined };

function codeOf(error: Error): string | undefined {
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === "string" ? code : undefined;
}

const isRefused = (error: unknown): boolean =>
  error instanceof Error && codeOf(error) === "ECONNREFUSED";

const isBroken = (error: Error): boolean => BROKEN.has(codeOf(error) ?? "");

/** How long the plane, or a proxy before it, asks to be left alone. */
const askedMsOf = (error: unknown): number =>
  error instanceof Refusal ? (error.status.details.retryAfterSeconds ?? 0) * 1_000 : 0;

/** Worth another try: the connection broke, or the plane says that it cannot serve at the moment. */
function isPassing(error: unknown): boolean {
  if (error instanceof Refusal) return isPassingStatus(error.status.code);
  return error instanceof Error && isBroken(error);
}

async function refuse(response: IncomingMessage): Promise<never> {
  const status = readStatus(response.statusCode ?? 500, await textOf(response));
  const seconds = retryAfterMs(response.headers["retry-after"]) / 1_000;
  const isAsked = seconds > 0 && status.details.retryAfterSeconds === undefined;
  const details = isAsked ? { ...status.details, retryAfterSeconds: seconds } : status.details;
  throw new Refusal({ ...status, details });
}

async function textOf(response: IncomingMessage): Promise<string> {
  response.setEncoding("utf8");
  let text = "";
  for await (const part of response as AsyncIterable<string>) text += part;
  return text;
}
