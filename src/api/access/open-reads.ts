/**
 * Answers that last: watches, logs that are followed, sessions, backups. Each rests on roles that
 * may be taken away while it lasts, so all of them are looked at again whenever roles have changed,
 * and at least once within `CHECK_MS` for bindings that expire (AZ43).
 */
import type { ServerResponse } from "node:http";

export interface OpenRead {
  /** Whether the caller may still read it. */
  isStill(): boolean;
  /** Ends it so that its reader can come again; left out: the connection is cut. */
  end?(): void;
}

export const CHECK_MS = 1_000;

export class OpenReads {
  readonly #open = new Map<ServerResponse, OpenRead>();
  readonly #timer: NodeJS.Timeout;

  constructor(everyMs: number = CHECK_MS) {
    this.#timer = setInterval(() => this.check(), everyMs).unref();
  }

  get size(): number {
    return this.#open.size;
  }

  add(response: ServerResponse, read: OpenRead): void {
    if (response.destroyed) return;
    this.#open.set(response, read);
    response.once("close", () => this.#open.delete(response));
  }

  check(): void {
    for (const [response, read] of this.#open) {
      if (read.isStill()) continue;
      this.#open.delete(response);
      if (read.end === undefined) response.destroy();
      else read.end();
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
