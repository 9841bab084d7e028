/**
 * Keeps one stream going: begins it, begins it anew when it breaks, and says which. A hidden page
 * lets go of its streams after a while: a browser opens six connections to a plane, and tabs in the
 * background would take them all.
 */
import { batch, type ReadonlySignal, signal } from "@preact/signals";
import type { ApiFailure } from "./api-failure.ts";
import { failureOf } from "./api-failure.ts";
import { retryDelayMs } from "./retry-delay.ts";
import { onSeen } from "./seen.ts";

export type LiveState =
  /** Nothing is there yet. */
  | { readonly kind: "connecting" }
  | { readonly kind: "live" }
  /** It broke and begins anew; the data is from `heardAtMs`. */
  | { readonly kind: "reconnecting"; readonly sinceMs: number; readonly failure: ApiFailure }
  /** The server said no, and will say so again: `retry()` asks nevertheless. */
  | { readonly kind: "refused"; readonly failure: ApiFailure };

/** What an attempt tells its loop. */
export interface Link {
  readonly signal: AbortSignal;
  /** Something came, so the data is current. */
  readonly heard: () => void;
  /** All that was there is here: from now on it is live. */
  readonly arrived: () => void;
}

/** One try: resolves when the server ended it in order, rejects when it broke. */
export type Attempt = (link: Link) => Promise<void>;

export class LiveLoop {
  private readonly current = signal<LiveState>({ kind: "connecting" });
  private readonly heardAt = signal<number | undefined>(undefined);
  private readonly attempt: Attempt;
  private stopping: AbortController | undefined;
  private stopSeen: (() => void) | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private failures = 0;

  constructor(attempt: Attempt) {
    this.attempt = attempt;
  }

  get state(): ReadonlySignal<LiveState> {
    return this.current;
  }

  /** When the server last said something, by this machine's clock. */
  get heardAtMs(): ReadonlySignal<number | undefined> {
    return this.heardAt;
  }

  start(): void {
    this.stopSeen ??= onSeen((isSeen) => (isSeen ? this.begin() : this.end()));
  }

  stop(): void {
    this.stopSeen?.();
    this.stopSeen = undefined;
    this.end();
  }

  /** At once, whatever it waits for. */
  retry(): void {
    this.end();
    this.failures = 0;
    this.begin();
  }

  private begin(): void {
    if (this.stopping !== undefined) return;
    this.stopping = new AbortController();
    void this.run(this.stopping.signal);
  }

  private end(): void {
    this.stopping?.abort();
    this.stopping = undefined;
    clearTimeout(this.timer);
  }

  private async run(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      try {
        await this.attempt(this.linkOf(stop));
        // An end in order is followed by the next beginning at once, but never in a tight circle.
        await this.pause(stop, retryDelayMs(1, 0));
      } catch (error) {
        if (stop.aborted) return;
        const failure = failureOf(error);
        if (!failure.mayPass) {
          this.current.value = { kind: "refused", failure };
          return;
        }
        this.broke(failure);
        await this.pause(stop, retryDelayMs(this.failures, Math.random()));
      }
    }
  }

  private linkOf(stop: AbortSignal): Link {
    const heard = (): void => void (this.heardAt.value = Date.now());
    return {
      signal: stop,
      heard,
      arrived: () => {
        this.failures = 0;
        batch(() => {
          heard();
          if (this.current.peek().kind !== "live") this.current.value = { kind: "live" };
        });
      },
    };
  }

  private broke(failure: ApiFailure): void {
    this.failures += 1;
    const before = this.current.peek();
    const sinceMs = before.kind === "reconnecting" ? before.sinceMs : Date.now();
    this.current.value = { kind: "reconnecting", sinceMs, failure };
  }

  private pause(stop: AbortSignal, delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.timer = setTimeout(resolve, delayMs);
      stop.addEventListener("abort", () => resolve(), { once: true });
    });
  }
}
