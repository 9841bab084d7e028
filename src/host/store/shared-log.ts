/**
 * A log that several planes share: one of them leads and appends, the others follow it and wait.
 * The store alone decides what is safe, which refuses every batch of a plane that no longer leads
 * (LG3); a lease only says when another may try.
 */
import type { Snapshot } from "../../core/protocol/snapshot.ts";
import type { Epoch, Revision } from "../../core/model/ids.ts";
import type { LogStore, StoredCommit } from "./log-store.ts";

/** A plane, as the others may speak to it. */
export interface PlaneAddress {
  readonly name: string;
  /** Where its API is served. */
  readonly url: string;
}

export interface Leader extends PlaneAddress {
  readonly epoch: Epoch;
}

export interface Led {
  readonly epoch: Epoch;
  /** The log ended here when it became ours: no earlier leader can append any more. */
  readonly end: Revision;
}

/** What a follower hears, in the order of revisions. */
export type LogNews =
  /** Begin with this, whatever you had: what lies between is not told. */
  | { readonly kind: "snapshot"; readonly snapshot: Snapshot }
  /** Durable, whole batches, without a gap after what was told before. */
  | { readonly kind: "commits"; readonly commits: readonly StoredCommit[] }
  /** What is there cannot be trusted: nothing more is told. A LogDamaged says what was found. */
  | { readonly kind: "damaged"; readonly error: Error };

export interface Following {
  /** Nothing is told after this. */
  stop(): void;
}

export interface SharedLog extends LogStore {
  /**
   * Takes the lead under a new epoch as soon as no other plane has it; a plane that leads already
   * takes a new epoch at once. Resolves undefined when the signal ends the wait, and rejects with
   * LogUnavailable.
   */
  lead(as: PlaneAddress, signal: AbortSignal): Promise<Led | undefined>;
  /** Gives the lead up now, so that the next one need not wait for the lease to end. */
  resign(): Promise<void>;
  /**
   * By the clock of `performance.now()`: until then no other plane can have become leader. Counted
   * from when the last renewal that succeeded was sent, less the margin for clocks that differ. 0
   * while it does not lead.
   */
  readonly leadsUntilMs: number;

  /**
   * Tells all that the log holds and then what is added, until it is stopped; after `after` when
   * that is still kept, otherwise beginning with a snapshot. Nothing is told before this call
   * returns. Goes on by itself over broken connections and compaction.
   */
  follow(after: Revision | undefined, tell: (news: LogNews) => void): Following;
  /**
   * The end of the log now, by a read that cannot be stale: nothing that anybody acknowledged
   * before lies after it.
   */
  end(): Promise<Revision>;

  /** Who leads, as far as we have heard; undefined while there is none. */
  readonly leader: Leader | undefined;
  onLeader(listener: (leader: Leader | undefined) => void): () => void;
}

export const isSharedLog = (log: LogStore): log is SharedLog => "lead" in log;
