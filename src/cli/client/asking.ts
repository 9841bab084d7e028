/**
 * One request on its way round the planes. Each is asked once, without a pause, because another may
 * well answer; when none did, and one of them may the next time, they are asked again after a
 * pause.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { retryPauseMs } from "../../shell/retry-pause.ts";
import type { Server } from "./find-server.ts";
import {
  askedMsOf,
  explained,
  explainedOfAll,
  isFinal,
  isPassing,
  isRefused,
  isSilence,
} from "./plane-trouble.ts";

/**
 * A plane that restarts is back by then; one that is gone should be reported while somebody still
 * looks.
 */
export const ROUNDS = 5;
/** All rounds together: a longer Retry-After becomes an error. */
const ROUNDS_MS = 30_000;

export interface AskingOf {
  readonly server: Server;
  /** Where it begins. */
  readonly first: URL;
  readonly rounds: number;
  /** How long to wait for planes that refuse connections. */
  readonly patienceMs?: number;
}

export class Asking {
  private readonly of: AskingOf;
  private readonly urls: readonly URL[];
  private readonly beganMs = performance.now();
  private asked = 0;
  private round = 0;
  /** The newest of each. */
  private readonly happened = new Map<URL, unknown>();

  constructor(of: AskingOf) {
    this.of = of;
    const { urls } = of.server;
    const at = Math.max(0, urls.indexOf(of.first));
    this.urls = [...urls.slice(at), ...urls.slice(0, at)];
  }

  get isFirstRound(): boolean {
    return this.round === 0;
  }

  next(): URL {
    const url = this.urls[this.asked % this.urls.length] as URL;
    this.asked += 1;
    return url;
  }

  /** Resolves when the next one may be asked; rejects with what the person should read. */
  async failed(url: URL, error: unknown): Promise<void> {
    if (isFinal(error)) throw error;
    // Taken out first, so that the order is that of the newest tries.
    this.happened.delete(url);
    this.happened.set(url, error);
    const passedMs = performance.now() - this.beganMs;
    const isRoundOver = this.asked % this.urls.length === 0;
    if (!isRoundOver && passedMs < ROUNDS_MS) return;
    const asked = [...this.happened.values()].map(askedMsOf);
    const pauseMs = retryPauseMs(this.round, Math.min(...asked));
    this.round += 1;
    if (!isRoundOver || !this.isWorthARound(passedMs, pauseMs)) throw this.explained(url, error);
    await sleep(pauseMs);
  }

  private isWorthARound(passedMs: number, pauseMs: number): boolean {
    const errors = [...this.happened.values()];
    // Whether a single plane that is silent carries the request out cannot be known from asking it
    // again.
    const isHopeful = errors.some(
      (error) => isPassing(error) || (this.urls.length > 1 && isSilence(error)),
    );
    if (isHopeful) return this.round < this.of.rounds && passedMs + pauseMs < ROUNDS_MS;
    return errors.every(isRefused) && passedMs < (this.of.patienceMs ?? 0);
  }

  private explained(url: URL, error: unknown): unknown {
    const { server } = this.of;
    return server.urls.length === 1
      ? explained(error, url, server)
      : explainedOfAll(this.happened, server);
  }
}
