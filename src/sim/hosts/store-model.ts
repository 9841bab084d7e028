/**
 * The durable log, as a fenced store keeps it: one array, one highest epoch. An append lands whole
 * or not at all, and the store checks its epoch and lands it in one step.
 *
 * If several planes share the log, one of them leads under a lease, and a snapshot may replace the
 * beginning of the log.
 */
import { assert } from "../../core/model/assert.ts";
import type { Commit } from "../../core/protocol/commit-record.ts";
import { Ledger } from "../../core/commit/ledger.ts";
import type { Won } from "../../core/commit/plane-standing.ts";
import { takeSnapshot } from "../../core/commit/snapshot.ts";
import type { Snapshot } from "../../core/protocol/snapshot.ts";
import type { Epoch, Revision } from "../../core/model/ids.ts";

/** The plane that may append, until its lease ends. */
export interface Leadership {
  readonly holder: string;
  readonly epoch: Epoch;
  /** By the store's own clock. */
  endsMs: number;
}

/** The next news for a follower. */
export interface LogNews {
  /** Replaces everything before it. */
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

  /** Fences every lower epoch. */
  claim(): Epoch {
    this.take("", Infinity);
    return this.epoch;
  }

  /**
   * Takes the log under a lease, if no other plane holds it. The current holder takes a new epoch.
   */
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

  /** Gives up the lease: the next holder need not wait for its end. */
  resign(holder: string): void {
    if (this.leadership?.holder === holder) this.leadership = undefined;
  }

  /** After the lease has expired, there is no leader and no plane can append. */
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

  /** A snapshot of this revision replaces all commits up to it. */
  compact(to: Revision): void {
    if (to <= this.compactedTo) return;
    this.compactedTo = Math.min(to, this.commits.length);
    this.snapshot = undefined;
  }

  /** All durable commits after `after`, or from the beginning. */
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
