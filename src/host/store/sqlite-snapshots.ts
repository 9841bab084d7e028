/**
 * Keeps the two newest snapshots, and the commits that follow the older one, so that a snapshot
 * gone bad costs a longer start and nothing else. Old things are dropped a little at a time,
 * because appends wait meanwhile. Runs inside the transactions of `log-file.ts`.
 */
import { assert } from "../../core/model/assert.ts";
import type { Revision } from "../../core/model/ids.ts";
import { type Checksum, CHAIN_START } from "./checksum.ts";
import { writeMeta } from "./load-log.ts";
import type { SnapshotHead } from "./snapshot-chunks.ts";
import type { Database } from "./sqlite-database.ts";
import { type BatchRow, chunkChecksum, type MetaRow, snapshotChecksum } from "./sqlite-schema.ts";

const SNAPSHOTS_KEPT = 2;
/** Some megabytes at most, which take a few milliseconds to drop. */
const CHUNKS_AT_ONCE = 8;
const BATCHES_AT_ONCE = 64;

interface Writing {
  readonly id: number;
  readonly chunks: number;
  readonly checksum: Checksum;
}

export class SqliteSnapshots {
  private readonly db: Database;
  private readonly keptRevisions: number;
  private writing: Writing | undefined;

  constructor(db: Database, keptRevisions: number) {
    this.db = db;
    this.keptRevisions = keptRevisions;
  }

  add(at: number, body: Uint8Array): void {
    const { id, chunks, checksum } = at === 0 ? this.begun() : this.current();
    assert(at === chunks, `A snapshot continues with piece ${chunks}, and piece ${at} came.`);
    const next = chunkChecksum(checksum, body);
    this.db.prepare("INSERT INTO chunk VALUES (?, ?, ?, ?)").run(id, at, next, body);
    this.writing = { id, chunks: chunks + 1, checksum: next };
  }

  keep(head: SnapshotHead, count: number): void {
    const { id, chunks, checksum } = count === 0 ? this.begun() : this.current();
    assert(count === chunks, `A snapshot of ${count} pieces was to be kept, and ${chunks} came.`);
    this.writing = undefined;
    // An older one than there is would only make the next start longer.
    if (head.revision < Math.max(0, ...this.revisions())) return;
    this.db
      .prepare("INSERT INTO snapshot VALUES (?, ?, ?, ?, ?, ?)")
      .run(
        id,
        head.revision,
        head.epoch,
        head.leadSinceMs,
        chunks,
        snapshotChecksum(checksum, head),
      );
  }

  /** Whether there may be more to drop. */
  dropSome(meta: MetaRow): boolean {
    this.db
      .prepare(
        "DELETE FROM snapshot WHERE id NOT IN (SELECT id FROM snapshot ORDER BY id DESC LIMIT ?)",
      )
      .run(SNAPSHOTS_KEPT);
    return this.dropChunks() || this.dropBatches(meta);
  }

  private dropChunks(): boolean {
    const orphans = this.db
      .prepare("SELECT rowid FROM chunk WHERE snapshot NOT IN (SELECT id FROM snapshot) LIMIT ?")
      .all(CHUNKS_AT_ONCE) as { readonly rowid: number }[];
    const drop = this.db.prepare("DELETE FROM chunk WHERE rowid = ?");
    for (const { rowid } of orphans) drop.run(rowid);
    return orphans.length > 0;
  }

  private dropBatches(meta: MetaRow): boolean {
    const upTo = this.unneeded();
    const rows = this.db
      .prepare(
        "SELECT first, last, checksum FROM log WHERE first <= ? AND last <= ? ORDER BY first LIMIT ?",
      )
      .all(upTo, upTo, BATCHES_AT_ONCE) as Omit<BatchRow, "body" | "epoch">[];
    const newest = rows.at(-1);
    if (newest === undefined) return false;
    this.db.prepare("DELETE FROM log WHERE first <= ?").run(newest.first);
    writeMeta(this.db, { ...meta, oldest: newest.last, anchor: newest.checksum });
    return true;
  }

  /** Up to here no snapshot and no watcher needs the log. */
  private unneeded(): Revision {
    const revisions = this.revisions();
    return Math.min(Math.max(...revisions) - this.keptRevisions, ...revisions);
  }

  private revisions(): Revision[] {
    const kept = this.db.prepare("SELECT revision FROM snapshot").all() as SnapshotHead[];
    return kept.map(({ revision }) => revision);
  }

  /** A new snapshot takes a number that not even the remains of an unfinished one have. */
  private begun(): Writing {
    const { id } = this.db
      .prepare(
        "SELECT 1 + max(coalesce((SELECT max(id) FROM snapshot), 0), coalesce((SELECT max(snapshot) FROM chunk), 0)) AS id",
      )
      .get() as { readonly id: number };
    return { id, chunks: 0, checksum: CHAIN_START };
  }

  private current(): Writing {
    assert(this.writing !== undefined, "A snapshot was continued that was never begun.");
    return this.writing;
  }
}
