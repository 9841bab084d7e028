/**
 * What a log file holds. Runs inside one read transaction of the caller's, so all of it is of one
 * moment, however long the reading takes and regardless of appends.
 */
import type { Revision } from "../../core/model/ids.ts";
import { type Checksum, CHAIN_START } from "../store/checksum.ts";
import type { Database } from "../store/sqlite-database.ts";
import {
  batchChecksum,
  type BatchRow,
  type ChunkRow,
  chunkChecksum,
  type MetaRow,
  sealOf,
  snapshotChecksum,
  type SnapshotRow,
} from "../store/sqlite-schema.ts";
import { type Flaw, flawed, type KeptPart } from "./kept-log.ts";

/** Batches that are read at once; together a few megabytes at most, for most are a kilobyte. */
const BATCHES_AT_ONCE = 64;

interface End {
  readonly revision: Revision;
  readonly checksum: Checksum;
}

export function* sqliteKept(db: Database): Generator<KeptPart> {
  const query = "SELECT epoch, oldest, anchor, seal FROM meta";
  const meta = db.prepare(query).get() as MetaRow | undefined;
  if (meta === undefined) {
    yield flawed({ kind: "bounds", where: "table meta", found: "the row is missing" });
    return;
  }
  const newest = "SELECT last AS revision, checksum FROM log ORDER BY first DESC LIMIT 1";
  const end = db.prepare(newest).get() as End | undefined;
  const { epoch, oldest } = meta;
  yield { kind: "log", log: { epoch, oldest, end: end?.revision ?? oldest } };
  if (meta.seal !== sealOf(meta)) {
    const found = "the row with the epoch and the start of the log is damaged";
    yield flawed({ kind: "bounds", where: "table meta", found });
  }
  const snapshots = db.prepare("SELECT * FROM snapshot ORDER BY id").all() as SnapshotRow[];
  for (const row of snapshots) yield* snapshotParts(db, row);
  yield* batchParts(db, meta);
}

function* snapshotParts(db: Database, row: SnapshotRow): Generator<KeptPart> {
  const { revision, epoch, leadSinceMs } = row;
  const head = { revision, epoch, leadSinceMs };
  yield { kind: "snapshot", head };
  const query = "SELECT checksum, body FROM chunk WHERE snapshot = ? AND at = ?";
  let checksum = CHAIN_START;
  let found: string | undefined;
  for (let at = 0; at < row.chunks && found === undefined; at += 1) {
    const chunk = db.prepare(query).get(row.id, at) as ChunkRow | undefined;
    if (chunk === undefined) found = `piece ${at} of ${row.chunks} is missing`;
    else {
      checksum = chunkChecksum(checksum, chunk.body);
      if (checksum === chunk.checksum) yield { kind: "chunk", body: chunk.body };
      else found = `the checksum of piece ${at} of ${row.chunks} is wrong`;
    }
  }
  if (found === undefined && snapshotChecksum(checksum, head) !== row.checksum) {
    found = "its total checksum is wrong";
  }
  if (found !== undefined) {
    yield flawed({ kind: "snapshots", where: `snapshot ${row.id}`, revision, found });
  }
  yield { kind: "snapshot-end", isWhole: found === undefined };
}

function* batchParts(db: Database, meta: MetaRow): Generator<KeptPart> {
  const query =
    "SELECT first, last, epoch, checksum, body FROM log WHERE first > ? ORDER BY first LIMIT ?";
  let end: End = { revision: meta.oldest, checksum: meta.anchor };
  let from: Revision = Number.MIN_SAFE_INTEGER;
  for (;;) {
    const rows = db.prepare(query).all(from, BATCHES_AT_ONCE) as BatchRow[];
    for (const row of rows) {
      const { first, last, epoch, body } = row;
      const flaw = flawOf(row, end);
      yield flaw === undefined
        ? { kind: "batch", batch: { first, last, epoch, body } }
        : flawed({ ...flaw, where: `log row ${first}`, revision: first });
      // What follows is held against what this one says, so that one broken row is one flaw.
      end = { revision: last, checksum: row.checksum };
      from = first;
    }
    if (rows.length < BATCHES_AT_ONCE) return;
  }
}

function flawOf(row: BatchRow, end: End): Pick<Flaw, "kind" | "found"> | undefined {
  const { first, last } = row;
  if (first !== end.revision + 1 || last < first) {
    const found = `after revision ${end.revision} comes a batch of ${first} to ${last}`;
    return { kind: "revisions", found };
  }
  if (row.checksum === batchChecksum(end.checksum, row)) return undefined;
  return { kind: "batches", found: `the checksum of revisions ${first} to ${last} is wrong` };
}
