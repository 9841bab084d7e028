/**
 * Where the log lives. One contract for every store (`test/contract`): append is all or nothing and
 * durable when it resolves; a batch of an epoch that is no longer the newest claimed writes
 * nothing.
 */
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { Snapshot } from "../../core/protocol/snapshot.ts";
import type { Epoch, Revision } from "../../core/model/ids.ts";
import type { KeptPart } from "../backup/kept-log.ts";
import type { ChainHead } from "./chain-link.ts";

export interface Claimed {
  readonly epoch: Epoch;
  readonly snapshot: Snapshot | undefined;
  /** Every commit after the snapshot, in order, with `before` filled in again. */
  readonly commits: readonly Commit[];
  /** How large the copy has become that was asked for; left out when there is none. */
  readonly copiedBytes?: number;
}

/**
 * Where a recording wants a copy of what is claimed, and the key under which secrets in it are
 * replaced.
 */
export interface CopyTo {
  readonly path: string;
  readonly redactionKey: Uint8Array;
}

export type AppendResult = "durable" | "fenced" | "unknown";

export interface LogStore {
  /**
   * Takes the log under a new, higher epoch; its holder before is fenced from here on. A store that
   * reads its log on another thread can write a copy of it there; none has to.
   */
  claim(copyTo?: CopyTo): Promise<Claimed>;
  /**
   * Commits continue the log's revisions without a gap. Nothing is written unless all of it is. The
   * answer comes in a later turn of the event loop, after whatever else was ready meanwhile.
   */
  append(epoch: Epoch, commits: readonly Commit[]): Promise<AppendResult>;
  /**
   * Commits after `from`, at most `limit`; `before` is not filled in. Rejects with LogCompacted.
   */
  read(from: Revision, limit: number): Promise<readonly StoredCommit[]>;
  /**
   * Keeps a snapshot and drops what it makes unnecessary, except the retention stated by the store.
   */
  compact(epoch: Epoch, snapshot: Snapshot): Promise<AppendResult>;
  /**
   * All that is kept, as of one moment, while it goes on; left out: the store keeps nothing that
   * could be lost.
   */
  copy?(): AsyncIterable<KeptPart>;
  /**
   * Where the chain of batches ends now; left out with `copy`, undefined when nothing is kept that
   * says it.
   */
  chainHead?(): Promise<ChainHead | undefined>;
  close(): Promise<void>;
}

/** A commit as it is stored: the state before is known from earlier commits. */
export type StoredCommit = Omit<Commit, "changes"> & {
  readonly changes: readonly {
    readonly key: Commit["changes"][number]["key"];
    readonly after: Commit["changes"][number]["after"];
  }[];
};

/** The revision asked for is older than what the log still holds. */
export class LogCompacted extends Error {
  override readonly name = "LogCompacted";
  readonly oldest: Revision;

  constructor(asked: Revision, oldest: Revision) {
    super(
      `Cannot read the log from revision ${asked}: it was compacted up to ${oldest}. List again and continue from there.`,
    );
    this.oldest = oldest;
  }
}

/** The file is not a log we can trust. The message says what was found and what to do. */
export class LogDamaged extends Error {
  override readonly name: string = "LogDamaged";
}

/**
 * The log is in a format that this build does not read. Nothing is broken, and another build reads
 * it.
 */
export class LogOfOtherFormat extends LogDamaged {
  override readonly name = "LogOfOtherFormat";
}

/**
 * The log cannot be written or reached now, and nothing was written. The host stops
 * taking writes, goes on serving what is durable, and claims the log again when it tries once more.
 */
export class LogUnavailable extends Error {
  override readonly name: string = "LogUnavailable";
}

/** Another process has the log open. The message says which. */
export class LogHeld extends LogUnavailable {
  override readonly name = "LogHeld";
}
