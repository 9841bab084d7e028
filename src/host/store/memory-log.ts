/**
 * The log of a plane that keeps nothing: for tests and for planes that may forget. It keeps the
 * same contract as the durable stores, and a test can order the faults they meet.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { assert } from "../../core/model/assert.ts";
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { Snapshot } from "../../core/protocol/snapshot.ts";
import type { Epoch, Revision } from "../../core/model/ids.ts";
import { withoutBefore } from "./batch-encoding.ts";
import { assertBatch, assertContinues, assertSnapshotOf, KEPT_REVISIONS } from "./log-rules.ts";
import {
  type AppendResult,
  type Claimed,
  LogCompacted,
  type LogStore,
  LogUnavailable,
  type StoredCommit,
} from "./log-store.ts";

/** What happens to an append instead of what should. */
export type AppendFault =
  /** The batch landed and the answer was lost. */
  | "landed-unknown"
  /** The batch was lost, and so was the answer. */
  | "lost-unknown"
  /** The batch was turned away for sure, as by a full disk. */
  | "unavailable";

export class MemoryLog implements LogStore {
  private readonly keptRevisions: number;
  private readonly faults: AppendFault[] = [];
  private epoch: Epoch = 0;
  /** Commits after `oldest`, so `commits[0]` has the revision `oldest + 1`. */
  private oldest: Revision = 0;
  private commits: Commit[] = [];
  private snapshot: Snapshot | undefined;

  constructor({ keptRevisions = KEPT_REVISIONS }: { readonly keptRevisions?: number } = {}) {
    this.keptRevisions = keptRevisions;
  }

  /** Each fault ordered meets one append that is not fenced, in order. */
  orderFault(fault: AppendFault): void {
    this.faults.push(fault);
  }

  claim(): Promise<Claimed> {
    return settle(() => {
      this.epoch += 1;
      const { epoch, snapshot } = this;
      return { epoch, snapshot, commits: this.after(snapshot?.revision ?? 0) };
    });
  }

  async append(epoch: Epoch, commits: readonly Commit[]): Promise<AppendResult> {
    const result = await settle((): AppendResult => {
      assertBatch(epoch, commits);
      if (this.isFenced(epoch)) return "fenced";
      assertContinues(this.end, commits);
      const fault = this.faults.shift();
      if (fault === "unavailable") {
        throw new LogUnavailable("Cannot append to the log in memory: a test ordered this fault.");
      }
      if (fault !== "lost-unknown") for (const commit of commits) this.commits.push(commit);
      return fault === undefined ? "durable" : "unknown";
    });
    await nextTurn();
    return result;
  }

  read(from: Revision, limit: number): Promise<readonly StoredCommit[]> {
    return settle(() => {
      if (from < this.oldest) throw new LogCompacted(from, this.oldest);
      return this.after(from).slice(0, limit).map(withoutBefore);
    });
  }

  compact(epoch: Epoch, snapshot: Snapshot): Promise<AppendResult> {
    return settle(() => {
      if (this.isFenced(epoch)) return "fenced";
      assertSnapshotOf(this.end, snapshot);
      if (snapshot.revision < (this.snapshot?.revision ?? 0)) return "durable";
      this.snapshot = snapshot;
      const oldest = Math.max(this.oldest, snapshot.revision - this.keptRevisions);
      this.commits = this.after(oldest);
      this.oldest = oldest;
      return "durable";
    });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  get end(): Revision {
    return this.oldest + this.commits.length;
  }

  private after(revision: Revision): Commit[] {
    return this.commits.slice(revision - this.oldest);
  }

  private isFenced(epoch: Epoch): boolean {
    assert(epoch <= this.epoch, `Epoch ${epoch} was never claimed: the newest is ${this.epoch}.`);
    return epoch < this.epoch;
  }
}

/** Answers later, as every other store does, and turns what is thrown into a rejection. */
async function settle<T>(answer: () => T): Promise<T> {
  await Promise.resolve();
  return answer();
}
