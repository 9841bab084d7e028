/**
 * Asks a process once what its counter of requests stands at. Whatever comes back is bounded in
 * time and size, no redirect is followed, and everything that is no number is said in words: not
 * measured is not none.
 */
import { type IncomingMessage, request, type RequestOptions } from "node:http";
import type { Address } from "../../core/model/objects.ts";
import type { MetricsPage } from "../../core/model/run-options.ts";
import { counterTotal, type CounterTotal } from "./counter-total.ts";

export interface Scraped {
  readonly metrics: MetricsPage;
  readonly address: Address | undefined;
}

export interface ScrapeBounds {
  readonly timeoutMs: number;
  readonly bytes: number;
}

/**
 * A fifth of the pace of samples; and some ten thousand series, which is more than a process has
 * use for.
 */
export const SCRAPE_BOUNDS: ScrapeBounds = { timeoutMs: 2_000, bytes: 2 * 1024 * 1024 };

/** The only format that is read: who can write several is asked for this one. */
const ACCEPT = "text/plain;version=0.0.4";

/** With the time at which the answer came, on the clock that only counts. */
export type ScrapeAnswer = CounterTotal & { readonly atMs: number };

/** Never rejects. */
export async function scrapeCounter(
  { metrics, address }: Scraped,
  bounds: ScrapeBounds = SCRAPE_BOUNDS,
): Promise<ScrapeAnswer> {
  const { path, requests } = metrics;
  const port = address?.ports[metrics.port];
  if (address === undefined || port === undefined) {
    return { missing: `it has no port ${metrics.port}`, atMs: performance.now() };
  }
  const { host } = address;
  const signal = AbortSignal.timeout(bounds.timeoutMs);
  const found = await ask({ host, port, path, signal }, bounds, requests).catch(
    (error: unknown): CounterTotal => failed(error, signal, bounds),
  );
  const atMs = "atMs" in found ? found.atMs : performance.now();
  if ("total" in found) return { total: found.total, atMs };
  return { missing: `GET ${path} at ${host}:${port} ${found.missing}`, atMs };
}

async function ask(
  of: {
    readonly host: string;
    readonly port: number;
    readonly path: string;
    readonly signal: AbortSignal;
  },
  { bytes }: ScrapeBounds,
  requests: string,
): Promise<CounterTotal | ScrapeAnswer> {
  const response = await opened(of);
  const atMs = performance.now();
  try {
    const refused = whyRefused(response);
    if (refused !== undefined) return { missing: refused };
    const text = await textOf(response, bytes);
    if (text === undefined) return { missing: `answered with more than ${bytes} bytes` };
    return { ...counterTotal(text, requests), atMs };
  } finally {
    response.destroy();
  }
}

/** Resolves with the head of the answer. */
function opened(at: RequestOptions): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // A connection of its own: a process that ends is not to be kept by who measures it.
    const asked = request({ ...at, headers: { accept: ACCEPT }, agent: false }, resolve);
    asked.on("error", reject);
    asked.end();
  });
}

function whyRefused({ statusCode = 0, headers }: IncomingMessage): string | undefined {
  if (statusCode >= 300 && statusCode < 400) {
    return `answered ${statusCode}, and redirects are not followed`;
  }
  if (statusCode !== 200) return `answered ${statusCode}`;
  const encoding = headers["content-encoding"];
  return encoding === undefined || encoding === "identity"
    ? undefined
    : `answered in the encoding ${encoding.slice(0, 20)}, which was not requested`;
}

/** Undefined: it is longer than that. */
async function textOf(response: IncomingMessage, bytes: number): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of response) {
    const bytesOf = part as Buffer;
    length += bytesOf.length;
    if (length > bytes) return undefined;
    parts.push(bytesOf);
  }
  return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(parts));
}

function failed(error: unknown, signal: AbortSignal, { timeoutMs }: ScrapeBounds): CounterTotal {
  if (signal.aborted) return { missing: `did not answer within ${timeoutMs} ms` };
  return { missing: `failed: ${error instanceof Error ? error.message : String(error)}` };
}
