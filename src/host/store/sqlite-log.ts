/**
 * The log in a SQLite file: the default store, for one machine and no set-up. This side turns
 * commits into bytes and back; the file itself is behind a channel, usually on a thread of its own.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { assert } from "../../core/model/assert.ts";
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { Snapshot } from "../../core/protocol/snapshot.ts";
import type { Epoch, Revision } from "../../core/model/ids.ts";
import type { KeptPart } from "../backup/kept-log.ts";
import { decodeBatch, encodeBatch } from "./batch-encoding.ts";
import type { ChainHead } from "./chain-link.ts";
import { LoadedLog } from "./loaded-log.ts";
import { type LogChannel, openChannelHere } from "./log-channel.ts";
import type { Misfit } from "./log-file.ts";
import { assertBatch, assertContinues, assertSnapshotOf, KEPT_REVISIONS } from "./log-rules.ts";
import {
  type AppendResult,
  type Claimed,
  type CopyTo,
  LogCompacted,
  type LogStore,
  type StoredCommit,
} from "./log-store.ts";
import type { LogFileOptions } from "./open-log-file.ts";
import { snapshotChunks } from "./snapshot-chunks.ts";
import type { OpenDatabase } from "./sqlite-database.ts";
import { openChannelOnThread, ThreadLost } from "./sqlite-worker.ts";

export interface SqliteLogOptions extends Partial<LogFileOptions> {
  /** On a thread of its own unless this says no: there a sync of the disk delays no request. */
  readonly thread?: boolean;
  /** Told what a person should know although the log is good. */
  readonly onNote?: (sentence: string) => void;
  /**
   * Told where the chain ends whenever a snapshot was kept, so that it can be written down
   * elsewhere.
   */
  readonly onHead?: (head: ChainHead) => void;
  /** For tests: stands between the log and SQLite. Only without a thread. */
  readonly database?: OpenDatabase;
}

export class SqliteLog implements LogStore {
  private readonly channel: LogChannel;
  private readonly onNote: (sentence: string) => void;
  private readonly onHead: ((head: ChainHead) => void) | undefined;
  private copies = 0;
  private closing: Promise<unknown> | undefined;
  private compacting: Promise<unknown> = Promise.resolve();

  /** Usually made by `open`. */
  constructor(
    channel: LogChannel,
    { onNote, onHead }: Pick<SqliteLogOptions, "onNote" | "onHead"> = {},
  ) {
    this.channel = channel;
    this.onNote = onNote ?? (() => {});
    this.onHead = onHead;
  }

  /** Rejects with LogHeld, LogDamaged or LogUnavailable, whose messages say what to do. */
  static async open(file: string, options: SqliteLogOptions = {}): Promise<SqliteLog> {
    const { keptRevisions = KEPT_REVISIONS, lock = true, thread = true } = options;
    const { maxPages, format } = options;
    const wanted = {
      keptRevisions,
      lock,
      ...(maxPages === undefined ? {} : { maxPages }),
      ...(format === undefined ? {} : { format }),
    };
    const channel = thread
      ? await openChannelOnThread(file, wanted)
      : await openChannelHere(file, wanted, options.database);
    return new SqliteLog(channel, options);
  }

  async claim(copyTo?: CopyTo): Promise<Claimed> {
    const log = new LoadedLog();
    const answer = await this.channel.ask("claim", copyTo, (part) => {
      if (part.kind === "note") this.onNote(part.text);
      else log.add(part);
    });
    return { ...answer, ...log.contents() };
  }

  async append(epoch: Epoch, commits: readonly Commit[]): Promise<AppendResult> {
    assertBatch(epoch, commits);
    const first = commits[0]?.revision ?? 1;
    const last = first + commits.length - 1;
    try {
      const answer = await this.channel.ask("append", {
        first,
        last,
        epoch,
        body: encodeBatch(commits),
      });
      // The thread may have answered while the plane was busy. Taken up in the same turn, each
      // append would lead to the next, and no socket would be read for seconds (LG13).
      await nextTurn();
      if (typeof answer === "string") return answer;
      assertClaimed(epoch, answer);
      assertContinues(answer.end, commits);
    } catch (error) {
      if (!(error instanceof ThreadLost)) throw error;
    }
    return "unknown";
  }

  async read(from: Revision, limit: number): Promise<readonly StoredCommit[]> {
    const commits: StoredCommit[] = [];
    const oldest = await this.channel.ask("read", { from, limit }, (part) => {
      if (part.kind !== "batch") return;
      for (const commit of decodeBatch(part.body)) {
        if (commit.revision > from && commits.length < limit) commits.push(commit);
      }
    });
    if (from < oldest) throw new LogCompacted(from, oldest);
    return commits;
  }

  /** One after the other: the pieces of two snapshots must not mix. */
  compact(epoch: Epoch, snapshot: Snapshot): Promise<AppendResult> {
    const done = this.compacting.then(() => this.compactNow(epoch, snapshot));
    this.compacting = done.catch(() => {});
    return done;
  }

  private async compactNow(epoch: Epoch, snapshot: Snapshot): Promise<AppendResult> {
    const { revision, epoch: of, leadSinceMs } = snapshot;
    let chunks = 0;
    for (const body of snapshotChunks(snapshot)) {
      const added = await this.channel.ask("addChunk", { epoch, at: chunks, body });
      if (added !== "durable") return refused(epoch, snapshot, added);
      chunks += 1;
      // A snapshot may take a second to encode; whatever waits for the plane goes in between.
      await nextTurn();
    }
    const head = { revision, epoch: of, leadSinceMs };
    const kept = await this.channel.ask("keepSnapshot", { by: epoch, chunks, head });
    if (kept !== "durable") return refused(epoch, snapshot, kept);
    let dropped = await this.channel.ask("dropSome", { epoch });
    while (dropped === "durable") dropped = await this.channel.ask("dropSome", { epoch });
    if (dropped !== "done") return refused(epoch, snapshot, dropped);
    const chain = this.onHead && (await this.chainHead());
    if (chain !== undefined) this.onHead?.(chain);
    return "durable";
  }

  chainHead(): Promise<ChainHead | undefined> {
    return this.channel.ask("chainHead", undefined);
  }

  async *copy(): AsyncGenerator<KeptPart> {
    this.copies += 1;
    const copy = this.copies;
    try {
      for (;;) {
        const parts = await this.channel.ask("copySome", { copy });
        if (parts.length === 0) return;
        yield* parts;
      }
    } finally {
      // A reader that stopped in the middle must not keep the file from being tidied up; a closed
      // log has done it already.
      await this.channel.ask("endCopy", { copy }).catch(() => {});
    }
  }

  async close(): Promise<void> {
    this.closing ??= this.channel.ask("close", undefined);
    await this.closing;
  }
}

function refused(epoch: Epoch, snapshot: Snapshot, answer: AppendResult | Misfit): AppendResult {
  if (typeof answer === "string") return answer;
  assertClaimed(epoch, answer);
  assertSnapshotOf(answer.end, snapshot);
  return "unknown";
}

function assertClaimed(epoch: Epoch, { newestEpoch }: Misfit): void {
  assert(epoch <= newestEpoch, `Epoch ${epoch} was never claimed: the newest is ${newestEpoch}.`);
}
