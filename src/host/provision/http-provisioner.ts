/**
 * Asks a server: POST of the request as JSON. An address is asked as it was configured, and
 * redirects are not followed: a redirect would take the token of a machine, and the server's own,
 * to somebody else.
 */
import { type IncomingMessage, request as httpRequest } from "node:http";
import { request as httpsRequest, type RequestOptions } from "node:https";
import { rootCertificates } from "node:tls";
import { retryAfterMs } from "../../shell/retry-pause.ts";
import { BoundedText } from "./bounded-text.ts";
import {
  ANSWER_BYTES,
  doubtful,
  type ProvisionAnswer,
  type Provisioner,
  type ProvisionRequest,
  readAnswer,
  refused,
} from "./provision-protocol.ts";

export interface HttpOptions {
  readonly url: URL;
  readonly timeoutMs: number;
  /** Sent as a bearer token. Read for every request, so that it can be replaced. */
  readonly readToken?: () => string;
  /** A certificate to trust besides those the machine trusts. Read for every request as well. */
  readonly readCa?: () => string;
}

/** "Not now", of a client error: everything else of that class is a no that stays one. */
const LATER: ReadonlySet<number> = new Set([408, 425, 429]);

export class HttpProvisioner implements Provisioner {
  private readonly of: HttpOptions;
  private readonly over = new AbortController();

  constructor(of: HttpOptions) {
    this.of = of;
  }

  async ask(request: ProvisionRequest, stop: AbortSignal): Promise<ProvisionAnswer> {
    const { timeoutMs } = this.of;
    const late = AbortSignal.timeout(timeoutMs);
    const signal = AbortSignal.any([stop, late, this.over.signal]);
    const answer = await this.asked(request, signal);
    // What was broken off by us says nothing about the other side.
    if (answer.kind !== "doubtful" || !signal.aborted) return answer;
    if (late.aborted) return doubtful(`no answer after ${timeoutMs / 1_000} s`);
    return doubtful("the request was aborted: its plane is stopping or no longer the leader");
  }

  async close(): Promise<void> {
    this.over.abort();
  }

  private async asked(request: ProvisionRequest, signal: AbortSignal): Promise<ProvisionAnswer> {
    try {
      return await answerOf(await this.post(request, signal));
    } catch (error) {
      if (error instanceof FileUnreadable) return refused(error.message);
      return doubtful(error instanceof Error ? reasonOf(error) : String(error));
    }
  }

  private post(request: ProvisionRequest, signal: AbortSignal): Promise<IncomingMessage> {
    const { url, readCa } = this.of;
    const ca = readCa && read("certificate", readCa);
    const options: RequestOptions = {
      method: "POST",
      headers: this.headers(request),
      signal,
      // A connection for each request: there are few, and one that was kept may have been closed
      // just then.
      agent: false,
      ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }),
    };
    return new Promise((resolve, reject) => {
      const send = url.protocol === "https:" ? httpsRequest : httpRequest;
      const asked = send(url, options, resolve);
      asked.once("error", reject);
      asked.end(JSON.stringify(request));
    });
  }

  private headers({ key }: ProvisionRequest): Record<string, string> {
    const { readToken } = this.of;
    const token = readToken && read("token", readToken);
    return {
      accept: "application/json",
      "content-type": "application/json",
      "idempotency-key": key,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
  }
}

/** Nothing was sent: what cannot be read is a no, and not a doubt. */
function read(what: "token" | "certificate", file: () => string): string {
  try {
    return file();
  } catch (error) {
    throw new FileUnreadable(what, error);
  }
}

class FileUnreadable extends Error {
  constructor(what: string, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`the file with the ${what} for it cannot be read: ${why}`);
  }
}

async function answerOf(response: IncomingMessage): Promise<ProvisionAnswer> {
  const status = response.statusCode ?? 0;
  if (status >= 300 && status < 400) {
    response.destroy();
    return refused(
      `it answered ${status}, and redirects are not followed: configure its final address`,
    );
  }
  const said = new BoundedText(response, { most: ANSWER_BYTES });
  said.onTooMuch(() => response.destroy());
  await ended(response);
  if (said.isTooMuch) return doubtful(`it sent more than ${ANSWER_BYTES} bytes`);
  if (!response.complete) return doubtful("its answer was cut short");
  const answer = readAnswer(said.text);
  if (status >= 200 && status < 300) return answer;
  const why = answer.kind === "refused" ? `: ${answer.reason}` : "";
  if (status >= 400 && status < 500 && !LATER.has(status)) {
    return refused(`it answered ${status}${why}`);
  }
  const afterMs = retryAfterMs(response.headers["retry-after"]);
  return { ...doubtful(`it answered ${status}${why}`), ...(afterMs > 0 ? { afterMs } : {}) };
}

/** Whatever ends it; how much of it came is looked at afterwards. */
const ended = (response: IncomingMessage): Promise<void> =>
  new Promise((resolve) => response.once("close", resolve));

function reasonOf(error: Error): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ECONNREFUSED") return "connection refused at its address";
  return code === undefined ? error.message : `${code}: ${error.message}`;
}
