/**
 * Sends requests to a plane with `fetch`. A call is sent again while the plane is away or says "not
 * now", with growing pauses and a bounded number of times. A write carries a key of its own, so
 * that one whose answer was lost meets its first outcome.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { isPassingStatus, retryAfterMs, retryPauseMs } from "../shell/retry-pause.ts";
import { BerthError, errorOfAnswer } from "./berth-error.ts";

export interface ConnectOptions {
  /** The address of a plane, such as https://berth.example.com:7443. */
  readonly server: string;
  readonly token?: string;
  /** The user to act as; left out: the user of the token. */
  readonly as?: string;
  /** Names the program in the plane's log and in field ownership. */
  readonly fieldManager?: string;
  /** How long one answer may take. */
  readonly timeoutMs?: number;
  /** How often a call is sent at most. */
  readonly attempts?: number;
  /** Replaces the `fetch` of the runtime, for a proxy or a certificate authority of one's own. */
  readonly fetch?: typeof fetch;
}

export interface Asked {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly signal?: AbortSignal;
}

const TIMEOUT_MS = 30_000;
const ATTEMPTS = 5;
export const FIELD_MANAGER = "berth-client";

export class Transport {
  readonly fieldManager: string;
  private readonly options: ConnectOptions;
  private readonly base: URL;

  constructor(options: ConnectOptions) {
    this.options = options;
    this.fieldManager = options.fieldManager ?? FIELD_MANAGER;
    const base = URL.canParse(options.server) ? new URL(options.server) : undefined;
    if (base === undefined || !/^https?:$/.test(base.protocol)) {
      const found = `found server "${options.server}"`;
      throw new BerthError(`${found}, expected an address such as http://127.0.0.1:6900.`);
    }
    this.base = base;
  }

  /** The answer's JSON. */
  async call<T>(asked: Asked): Promise<T> {
    const key = asked.method === "GET" ? undefined : randomUUID();
    const { attempts = ATTEMPTS, timeoutMs = TIMEOUT_MS } = this.options;
    for (let failures = 0; ; failures += 1) {
      try {
        const limit = AbortSignal.timeout(timeoutMs);
        const signal = asked.signal === undefined ? limit : AbortSignal.any([asked.signal, limit]);
        const response = await this.open({ ...asked, signal }, key);
        return (await response.json()) as T;
      } catch (error) {
        const told = this.explained(error);
        asked.signal?.throwIfAborted();
        if (!isPassing(told) || failures + 1 >= attempts) throw told;
        await pause(told, failures, asked.signal);
      }
    }
  }

  /** The head of an answer whose body is a stream; throws what the plane refused it with. */
  async open(asked: Asked, key?: string): Promise<Response> {
    const { fetch: send = fetch } = this.options;
    const url = new URL(this.base);
    // Behind a proxy the plane may have a path of its own.
    url.pathname = `${this.base.pathname.replace(/\/$/, "")}${asked.path}`;
    for (const [name, value] of Object.entries(asked.query ?? {})) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const response = await send(url, {
      method: asked.method,
      headers: this.headersOf(asked, key),
      ...(asked.body === undefined ? {} : { body: JSON.stringify(asked.body) }),
      ...(asked.signal === undefined ? {} : { signal: asked.signal }),
    });
    if (response.ok) return response;
    const askedMs = retryAfterMs(response.headers.get("retry-after") ?? undefined);
    throw errorOfAnswer(response.status, await response.text(), askedMs);
  }

  /** The failure with the address that was tried. */
  explained(error: unknown): BerthError {
    if (error instanceof BerthError) return error;
    const { cause } = error instanceof Error ? error : { cause: undefined };
    const isLate = error instanceof Error && error.name === "TimeoutError";
    const inner = cause instanceof Error && cause.message !== "" ? cause : error;
    const found = isLate ? "timed out" : inner instanceof Error ? inner.message : String(inner);
    return new BerthError(`${this.base.origin}: ${found}.`, {
      reason: "Unreachable",
      cause: error,
    });
  }

  private headersOf({ body, contentType }: Asked, key: string | undefined): Record<string, string> {
    const { token, as } = this.options;
    return {
      accept: "application/json",
      "user-agent": this.fieldManager,
      ...(body === undefined ? {} : { "content-type": contentType ?? "application/json" }),
      ...(key === undefined ? {} : { "idempotency-key": key }),
      ...(as === undefined ? {} : { "berth-as": as }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
  }
}

/** Worth another try: the plane did not answer, or cannot serve at the moment. */
export const isPassing = ({ status }: BerthError): boolean =>
  status === undefined || isPassingStatus(status);

/** Ends early, without an error, when the signal says so. */
export async function pause(
  { details }: BerthError,
  failures: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const ms = retryPauseMs(failures, (details.retryAfterSeconds ?? 0) * 1_000);
  await sleep(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
}
