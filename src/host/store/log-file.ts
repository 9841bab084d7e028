/**
 * A log in one SQLite file, with everything done at once and in order: the caller waits for the
 * disk. Every write is one transaction that first checks the epoch, so that no batch of a deposed
 * leadership can slip in between the check and the write. Snapshots are kept by
 * `sqlite-snapshots.ts`, loading is in `load-log.ts`.
 */
import type { Epoch, Revision } from "../../core/model/ids.ts";
import { FileCopies } from "../backup/file-copies.ts";
import type { KeptPart } from "../backup/kept-log.ts";
import { ClaimCopy } from "../recording/claim-copy.ts";
import { type ChainHead, linkChunk, linked } from "./chain-link.ts";
import { FileChain } from "./file-chain.ts";
import { batchesFrom, endOf, loadLog, type LogPart, readMeta, writeMeta } from "./load-log.ts";
import { type AppendResult, type Claimed, type CopyTo, LogUnavailable } from "./log-store.ts";
import { type LogFileOptions, openLogFile, type OpenedFile } from "./open-log-file.ts";
import type { SnapshotHead } from "./snapshot-chunks.ts";
import { SqliteSnapshots } from "./sqlite-snapshots.ts";
import type { OpenDatabase } from "./sqlite-database.ts";
import { explain, mayHaveLanded } from "./sqlite-errors.ts";
import { batchChecksum, type BatchRow } from "./sqlite-schema.ts";

export type Batch = Omit<BatchRow, "checksum">;

/** Why a write was turned away although the epoch is the newest: the caller went wrong. */
export interface Misfit {
  readonly newestEpoch: Epoch;
  readonly end: Revision;
}

/** What a claim answers beside the parts it tells. */
export type Taken = Pick<Claimed, "epoch" | "copiedBytes">;

export class LogFile {
  private readonly file: string;
  private readonly opened: OpenedFile;
  private readonly snapshots: SqliteSnapshots;
  private readonly chain: FileChain;
  private readonly copies: FileCopies;

  constructor(open: OpenDatabase, file: string, options: LogFileOptions) {
    this.file = file;
    this.opened = openLogFile(open, file, options);
    this.snapshots = new SqliteSnapshots(this.opened.db, options.keptRevisions);
    this.chain = new FileChain(this.opened.db);
    this.copies = new FileCopies(open, file);
  }

  /**
   * Loads and checks everything before it takes the epoch: a damaged file is left as it was found.
   */
  claim(tell: (part: LogPart) => void, copyTo?: CopyTo): Taken {
    const copy = copyTo && new ClaimCopy(copyTo);
    try {
      const epoch = this.take((part) => {
        // Copied first: telling hands the bytes over to another thread.
        copy?.add(part);
        tell(part);
      });
      const copiedBytes = copy?.finish();
      return { epoch, ...(copiedBytes === undefined ? {} : { copiedBytes }) };
    } catch (error) {
      copy?.abandon();
      throw error;
    }
  }

  private take(tell: (part: LogPart) => void): Epoch {
    const { db, raiseFormat } = this.opened;
    const epoch = this.write("claim the log", () => {
      const meta = loadLog(db, this.file, tell);
      raiseFormat?.();
      writeMeta(db, { ...meta, epoch: meta.epoch + 1 });
      return meta.epoch + 1;
    });
    if (epoch !== "unknown") return epoch;
    throw new LogUnavailable(
      `Cannot claim the log ${this.file}: the disk failed while the claim was being written. Check the disk and the system log; all acknowledged commits are safe.`,
    );
  }

  append(batch: Batch): AppendResult | Misfit {
    const { db } = this.opened;
    return this.writeAs(batch.epoch, "append to the log", () => {
      const { first, last, epoch } = batch;
      if (last < first) return "durable";
      const end = endOf(db);
      if (first !== end.revision + 1) return { newestEpoch: epoch, end: end.revision };
      const body = linked(this.chain.hashAt(end), batch.body);
      const checksum = batchChecksum(end.checksum, { ...batch, body });
      db.prepare("INSERT INTO log VALUES (?, ?, ?, ?, ?)").run(first, last, epoch, checksum, body);
      this.chain.wrote(checksum, body);
      return "durable";
    });
  }

  /**
   * Tells the batches that hold the commits after `from`, and answers the oldest revision to read
   * from.
   */
  read(
    { from, limit }: { from: Revision; limit: number },
    tell: (part: LogPart) => void,
  ): Revision {
    const { db } = this.opened;
    return this.transact("read the log", "DEFERRED", () => {
      const { oldest } = readMeta(db, this.file);
      if (from < oldest || limit <= 0) return oldest;
      for (const { last, body } of batchesFrom(db, this.file, from)) {
        tell({ kind: "batch", body });
        if (last - from >= limit) break;
      }
      return oldest;
    });
  }

  /**
   * Adds a piece to the snapshot being written, or begins one. It counts for nothing until it is
   * kept.
   */
  addChunk({
    epoch,
    at,
    body,
  }: {
    epoch: Epoch;
    at: number;
    body: Uint8Array;
  }): AppendResult | Misfit {
    return this.writeAs(epoch, "write a snapshot to the log", () => {
      this.snapshots.add(at, body);
      return "durable";
    });
  }

  keepSnapshot({
    by,
    chunks,
    head,
  }: {
    by: Epoch;
    chunks: number;
    head: SnapshotHead;
  }): AppendResult | Misfit {
    return this.writeAs(by, "write a snapshot to the log", () => {
      const end = endOf(this.opened.db);
      if (head.revision > end.revision) return { newestEpoch: by, end: end.revision };
      // Only of the very end may nothing else be left, once the commits before it are dropped.
      const link = head.revision === end.revision ? this.chain.headAt(end) : undefined;
      if (link !== undefined) this.snapshots.add(chunks, linkChunk(link));
      this.snapshots.keep(head, link === undefined ? chunks : chunks + 1);
      return "durable";
    });
  }

  /**
   * Drops a little of what the snapshots made unnecessary. "durable" means that more is left to
   * drop.
   */
  dropSome(epoch: Epoch): AppendResult | Misfit | "done" {
    return this.writeAs(epoch, "compact the log", () => {
      return this.snapshots.dropSome(readMeta(this.opened.db, this.file)) ? "durable" : "done";
    });
  }

  /** Where the chain of batches ends; undefined when it is unknown. */
  chainHead(): ChainHead | undefined {
    const { db } = this.opened;
    return this.transact("read the log", "DEFERRED", () => this.chain.headAt(endOf(db)));
  }

  /** What comes next of all that is kept; nothing at its end. Appends go on in between. */
  copySome(number: number): readonly KeptPart[] {
    return this.copies.next(number);
  }

  endCopy(number: number): void {
    this.copies.end(number);
  }

  /** Leaves everything in the one file, so that a copy of it is a backup. */
  close(): void {
    const { db, lock } = this.opened;
    this.copies.close();
    try {
      db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    } catch {
      // Where the disk does not let us, the write-ahead file stays and is read at the next start.
    }
    db.close();
    lock?.release();
  }

  private writeAs<T>(
    epoch: Epoch,
    attempt: string,
    work: () => T,
  ): T | "fenced" | "unknown" | Misfit {
    return this.write(attempt, () => {
      const { epoch: newest } = readMeta(this.opened.db, this.file);
      if (epoch < newest) return "fenced";
      if (epoch > newest) return { newestEpoch: newest, end: endOf(this.opened.db).revision };
      return work();
    });
  }

  private write<T>(attempt: string, work: () => T): T | "unknown" {
    try {
      return this.transact(attempt, "IMMEDIATE", work);
    } catch (error) {
      if (error instanceof InDoubt) return "unknown";
      throw error;
    }
  }

  private transact<T>(attempt: string, mode: "IMMEDIATE" | "DEFERRED", work: () => T): T {
    const { db } = this.opened;
    let isCommitting = false;
    try {
      db.exec(`BEGIN ${mode}`);
      const result = work();
      isCommitting = true;
      db.exec("COMMIT");
      return result;
    } catch (error) {
      this.rollBack();
      if (isCommitting && mayHaveLanded(error)) {
        throw new InDoubt("The disk failed during a commit.", { cause: error });
      }
      throw explain(error, { attempt, file: this.file });
    }
  }

  private rollBack(): void {
    const { db } = this.opened;
    try {
      // After some failures SQLite has rolled back already.
      if (db.isTransaction) db.exec("ROLLBACK");
    } catch {
      // An uncommitted batch is not in the log, whether or not the disk lets us say so.
    }
  }
}

/** A commit failed in a way that leaves open whether it reached the disk. */
class InDoubt extends Error {
  override readonly name = "InDoubt";
}
