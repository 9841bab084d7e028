/**
 * The access of a plane whose log is its own: its plane leads, and keeps trying when the store
 * fails.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { LogAccess, LogListener } from "./log-access.ts";
import type { Claimed, CopyTo, LogStore } from "./store/log-store.ts";

/** The store is asked again this much later when it could not be read at all. */
const CLAIM_AGAIN_MS = 1_000;

export interface OwnLogAccessOf {
  readonly store: LogStore;
  readonly plane: Pick<LogListener, "claimed" | "trouble">;
  readonly revision: () => number;
  /** Where the recording wants a copy of what is claimed, and how it is told what became of it. */
  readonly copyTo: () => CopyTo | undefined;
  readonly copied: (bytes: number | undefined) => void;
}

export class OwnLogAccess implements LogAccess {
  readonly isCertain = true;
  readonly isShared = false;
  readonly leader = undefined;
  readonly loaded = Promise.resolve();
  private readonly of: OwnLogAccessOf;
  /** Claimed before the plane began, so that opening can fail with its reason. */
  private first: Claimed | undefined;
  private isClosed = false;
  private claiming: Promise<void> = Promise.resolve();

  constructor(of: OwnLogAccessOf) {
    this.of = of;
  }

  async open(): Promise<void> {
    this.first = await this.claimOnce();
  }

  claim(): void {
    const { first } = this;
    this.first = undefined;
    if (first === undefined) this.claiming = this.claimUntilHeld();
    else this.of.plane.claimed(first);
  }

  lapses(): readonly never[] {
    return [];
  }

  newest(): Promise<number> {
    return Promise.resolve(this.of.revision());
  }

  resign(): Promise<void> {
    return Promise.resolve();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.claiming;
  }

  private async claimOnce(): Promise<Claimed> {
    const claimed = await this.of.store.claim(this.of.copyTo());
    this.of.copied(claimed.copiedBytes);
    return claimed;
  }

  /** Reads go on meanwhile; writes are answered `unavailable`. */
  private async claimUntilHeld(): Promise<void> {
    while (!this.isClosed) {
      try {
        this.of.plane.claimed(await this.claimOnce());
        return;
      } catch (error) {
        this.of.plane.trouble("claim the log", error);
        await sleep(CLAIM_AGAIN_MS);
      }
    }
  }
}
