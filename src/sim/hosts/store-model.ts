/**
 * The durable log, as a fenced store keeps it: one array, one highest epoch. An append lands whole
 * or not at all, and the check of its epoch is one step with its landing.
 *
 * Where several planes share it, one of them leads under a lease, and the beginning of the log may
 * be dropped once a snapshot has its place.
 */
import { assert } from "../../core/model/assert.ts";
import type { Commit } from "../../core/protocol/commit-record.ts";
import { Ledger } from "../../core/commit/ledger.ts";
import type { Won } from "../../core/commit/plane-standing.ts";
import { takeSnapshot } from "../../core/commit/snapshot.ts";
import type { Snapshot } from "../../core/protocol/snapshot.ts";
import type { Epoch, Revision } from "../../core/model/ids.ts";

/** Who may append, until its lease ends. */
export interface Leadership {
  readonly holder: string;
  readonly epoch: Epoch;
  /** By the store's own clock. */
  endsMs: number;
}

/** What a follower is told next. */
export interface LogNews {
  /** Takes the place of all that was told before. */
  readonly snapshot?: Snapshot;
  readonly commits: readonly Commit[];
}

export class StoreModel {
  readonly commits: Commit[] = [];
  epoch: Epoch = 0;
  leadership: Leadership | undefined;
  /** Commits up to here can no longer be read. */
  compactedTo: Revision = 0;
  private snapshot: Snapshot | undefined;
  private readonly folded = new Ledger();

  /** From here on every lower epoch is fenced. */
  claim(): Epoch {
    this.take("", Infinity);
    return this.epoch;
  }

  /** Takes the log under a lease, when nobody else has it. Who has it already takes a new epoch. */
  lead(holder: string, endsMs: number): Won | undefined {
    if (this.leadership !== undefined && this.leadership.holder !== holder) return undefined;
    this.take(holder, endsMs);
    return { epoch: this.epoch, end: this.commits.length };
  }

  /** Whether there was still a lease to renew. */
  renew(holder: string, endsMs: number): boolean {
    if (this.leadership?.holder !== holder) return false;
    this.leadership.endsMs = Math.max(this.leadership.endsMs, endsMs);
    return true;
  }

  /** The lease is given up: the next one need not wait for its end. */
  resign(holder: string): void {
    if (this.leadership?.holder === holder) this.leadership = undefined;
  }

  /** Nobody leads any more once the lease is over, and nobody can append. */
  expire(nowMs: number): boolean {
    if (this.leadership === undefined || nowMs < this.leadership.endsMs) return false;
    this.leadership = undefined;
    return true;
  }

  isFenced(epoch: Epoch): boolean {
    return this.leadership?.epoch !== epoch;
  }

  /** Makes one commit durable; the caller has made sure that its epoch is not fenced. */
  land(commit: Commit): void {
    assert(
      commit.revision === this.commits.length + 1,
      `An append continues the log at revision ${commit.revision}, but the log ends at ${this.commits.length}.`,
    );
    assert(
      commit.epoch === this.epoch,
      `A commit of epoch ${commit.epoch} was appended under epoch ${this.epoch}.`,
    );
    this.commits.push(commit);
  }

  /** A snapshot of this revision takes the place of all commits up to it. */
  compact(to: Revision): void {
    if (to <= this.compactedTo) return;
    this.compactedTo = Math.min(to, this.commits.length);
    this.snapshot = undefined;
  }

  /** All that is durable after `after`, or from the beginning. */
  newsAfter(after: Revision | undefined): LogNews {
    const from = after ?? 0;
    if (from >= this.compactedTo) return { commits: this.commits.slice(from) };
    return { snapshot: this.snapshotAtCut(), commits: this.commits.slice(this.compactedTo) };
  }

  private snapshotAtCut(): Snapshot {
    if (this.snapshot !== undefined) return this.snapshot;
    for (let at = this.folded.revision; at < this.compactedTo; at++) {
      this.folded.fold(this.commits[at] as Commit);
    }
    this.snapshot = takeSnapshot(this.folded);
    return this.snapshot;
  }

  private take(holder: string, endsMs: number): void {
    this.epoch += 1;
    this.leadership = { holder, epoch: this.epoch, endsMs };
  }
}
