/**
 * Sends spans to a collector over OTLP/HTTP, as JSON. A sender of spans never waits: the queue is
 * bounded, one request is under way at a time, and what a collector does not take in time is
 * dropped and counted.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { encodeSpans } from "./encode-spans.ts";
import type { Span, SpanAttributes } from "./span.ts";

/**
 * Of about a kilobyte each: a collector may be away for a moment, and the plane's memory stays its
 * own.
 */
const QUEUE_MOST = 8_192;
/** Putting so many into words takes a few milliseconds, which no client notices. */
const BATCH_MOST = 256;
/** A person who waits for a trace to appear does not notice it. */
const GATHER_MS = 500;
const TRIES = 3;
const AGAIN_MS = 1_000;
/** A plane that was told to stop stops. */
const LAST_WORDS_MS = 2_000;
/** What a collector says that may take the same request later. */
const LATER: ReadonlySet<number> = new Set([429, 502, 503, 504]);

export interface OtlpTarget {
  /** Where the collector takes traces. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** How long one request may take. */
  readonly timeoutMs: number;
}

/** What became of spans. */
export interface SpanCounts {
  exported: number;
  /** There was no room for them, or no time at the end. */
  dropped: number;
  /** The collector did not take them. */
  failed: number;
}

export interface OtlpExporterOf {
  readonly target: OtlpTarget;
  readonly resource: SpanAttributes;
  readonly counts: SpanCounts;
  readonly onTrouble: (sentence: string) => void;
}

export class OtlpExporter {
  private readonly of: OtlpExporterOf;
  private queue: Span[] = [];
  private timer: NodeJS.Timeout | undefined;
  private sending: Promise<void> | undefined;
  private readonly over = new AbortController();
  private isInTrouble = false;

  constructor(of: OtlpExporterOf) {
    this.of = of;
  }

  take(spans: readonly Span[]): void {
    const room = QUEUE_MOST - this.queue.length;
    this.of.counts.dropped += Math.max(0, spans.length - room);
    for (const span of spans.slice(0, room)) this.queue.push(span);
    if (this.queue.length >= BATCH_MOST) this.send();
    else if (this.queue.length > 0 && this.timer === undefined && this.sending === undefined) {
      this.timer = setTimeout(() => this.send(), GATHER_MS);
      this.timer.unref();
    }
  }

  /** Sends what there is, and gives up when that takes long. */
  async close(): Promise<void> {
    this.send();
    const { sending } = this;
    if (sending === undefined) return;
    const enough = sleep(LAST_WORDS_MS, undefined, { ref: false });
    await Promise.race([sending, enough]);
    this.over.abort();
    await sending;
  }

  private send(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.sending !== undefined || this.queue.length === 0) return;
    this.sending = this.sendAll().finally(() => {
      this.sending = undefined;
      // Given in the moment between the last look and this one.
      this.take([]);
    });
  }

  private async sendAll(): Promise<void> {
    while (this.queue.length > 0) {
      const batch = this.queue.splice(0, BATCH_MOST);
      if (this.over.signal.aborted) this.of.counts.dropped += batch.length;
      else if (await this.sendBatch(batch)) this.of.counts.exported += batch.length;
      else this.of.counts.failed += batch.length;
    }
  }

  private async sendBatch(batch: readonly Span[]): Promise<boolean> {
    const body = encodeSpans(batch, this.of.resource);
    for (let tries = 1; ; tries += 1) {
      const said = await this.post(body);
      if (said === "taken") {
        this.isInTrouble = false;
        return true;
      }
      if (said.mayTryAgain && tries < TRIES && !this.over.signal.aborted) {
        await sleep(AGAIN_MS, undefined, { ref: false, signal: this.over.signal }).catch(() => {});
        continue;
      }
      this.complain(said.reason);
      return false;
    }
  }

  private async post(
    body: string,
  ): Promise<"taken" | { readonly reason: string; readonly mayTryAgain: boolean }> {
    const { url, headers, timeoutMs } = this.of.target;
    const signal = AbortSignal.any([this.over.signal, AbortSignal.timeout(timeoutMs)]);
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body,
        signal,
      });
      // Read to the end, or the connection is not used again.
      await response.arrayBuffer();
      if (response.ok) return "taken";
      return { reason: `it answered ${response.status}`, mayTryAgain: LATER.has(response.status) };
    } catch (error) {
      return { reason: reasonOf(error), mayTryAgain: true };
    }
  }

  /** Once for each time that it goes wrong after it went well. */
  private complain(reason: string): void {
    if (this.isInTrouble) return;
    this.isInTrouble = true;
    this.of.onTrouble(`Cannot send traces to ${this.of.target.url}: ${reason}.`);
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
