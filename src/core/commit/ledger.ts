/**
 * The truth, as folded from the log and nothing else: objects, what they add up to, and which
 * operations have had their effect. A restarted authority, a follower and a replay reach the same
 * ledger.
 */
import { assert } from "../model/assert.ts";
import type { Epoch, Kind, Revision } from "../model/ids.ts";
import type { AnyObject } from "../model/objects.ts";
import { ObjectIndex } from "../observe/object-index.ts";
import type { Commit } from "../protocol/commit-record.ts";
import { KnownOperations } from "./known-operations.ts";
import { SilenceCounts } from "../observe/silence-counts.ts";
import { spaceOfCommit } from "../protocol/operation-space.ts";
import { PoolUse } from "./pool-use.ts";
import { PreemptedLately } from "./preempted-lately.ts";
import type { KeptOperation, PoolUsedAt, PreemptedAt } from "../protocol/snapshot.ts";

/** Changes of these move quota between accounts, or into them. */
const MOVES_QUOTA: ReadonlySet<Kind> = new Set(["Replica", "Reservation", "Quota", "Grant"]);

/** Repeated, they meet what they said before, as renewals (LS3) and exchanges (RG5, RG10). */
const ORDERS_ITSELF: ReadonlySet<string> = new Set(["lease", "hear", "take-terms"]);

export class Ledger {
  readonly objects = new ObjectIndex();
  revision: Revision = 0;
  epoch: Epoch = 0;
  /** When the present leadership began, on its own clock: no silence is older than this (EV3). */
  leadSinceMs = 0;
  // Hard private: like a leadership's clock, it is of this incarnation of the plane and no part of
  // the truth.
  #wokeMs = Number.NEGATIVE_INFINITY;
  readonly #silence = new SilenceCounts();
  /** What the bound on preemptions is counted on (PE5). */
  readonly preempted = new PreemptedLately();
  /** What the time in which a node of a pool was idle is counted from (PN6). */
  readonly poolUse = new PoolUse();
  /** What has had its effect, by whose it is. */
  readonly operations = new KnownOperations();

  /**
   * When the plane last went on after it had stood still: no silence is older than this either
   * (LB7).
   */
  get wokeMs(): number {
    return this.#wokeMs;
  }
  woke(nowMs: number): void {
    this.#wokeMs = nowMs;
    this.countSilenceAnew();
  }

  /** Who is silent where, as far as this ledger says when each node was last heard. */
  get silence(): SilenceCounts {
    return this.#silence;
  }

  /** Only an empty ledger may take a snapshot's place. */
  restore(from: {
    readonly revision: Revision;
    readonly epoch: Epoch;
    readonly leadSinceMs: number;
    readonly objects: readonly AnyObject[];
    readonly operations: readonly KeptOperation[];
    readonly preempted?: readonly PreemptedAt[];
    readonly poolUse?: readonly PoolUsedAt[];
  }): void {
    assert(this.revision === 0, `A ledger at revision ${this.revision} cannot be restored into.`);
    this.revision = from.revision;
    this.epoch = from.epoch;
    this.leadSinceMs = from.leadSinceMs;
    for (const after of from.objects) {
      this.objects.fold({ key: after.key, before: undefined, after });
    }
    this.countSilenceAnew();
    this.operations.restore(from.operations);
    this.preempted.restore(from.preempted ?? []);
    this.poolUse.restore(from.poolUse ?? []);
  }

  /** The leadership is another, or stood still: all silences are counted from later. */
  private countSilenceAnew(): void {
    for (const { spec } of this.objects.all("Lease").values()) this.#silence.touch(spec.node);
  }

  fold(commit: Commit): void {
    assert(
      commit.revision === this.revision + 1,
      `The log jumps from revision ${this.revision} to ${commit.revision}.`,
    );
    assert(
      commit.epoch >= this.epoch,
      `The log goes back from epoch ${this.epoch} to ${commit.epoch} at revision ${commit.revision}.`,
    );
    this.revision = commit.revision;
    this.epoch = commit.epoch;
    if (commit.command === "lead") {
      this.leadSinceMs = commit.atMs;
      this.countSilenceAnew();
    }
    this.preempted.fold(commit);
    this.poolUse.fold(commit, this.objects);
    // Nearly every commit concerns one tenant; its account is asked once, when all of it is folded.
    const moved = new Set<string>();
    for (const change of commit.changes) {
      this.objects.fold(change);
      const some = change.after ?? change.before;
      if (some === undefined) continue;
      if (MOVES_QUOTA.has(some.kind)) moved.add(some.meta.namespace);
      if (some.kind === "Lease" || some.kind === "Node") this.#silence.touch(some.meta.name);
    }
    for (const tenant of moved) this.objects.quotaUsage.assertConserved(tenant);
    // Remembering each of these would push out what must be remembered.
    if (ORDERS_ITSELF.has(commit.command)) return;
    const { operation, revision, command } = commit;
    this.operations.remember(spaceOfCommit(commit), operation, { revision, command });
  }
}
