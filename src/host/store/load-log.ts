/**
 * Reads a log back and checks it on the way: every batch is there, in its place and unchanged, and
 * the snapshot is whole. What fails a check is never loaded in part.
 */
import type { Revision } from "../../core/model/ids.ts";
import { type Checksum, CHAIN_START } from "./checksum.ts";
import type { SnapshotHead } from "./snapshot-chunks.ts";
import type { Database } from "./sqlite-database.ts";
import { damaged } from "./sqlite-errors.ts";
import {
  batchChecksum,
  type BatchRow,
  type ChunkRow,
  chunkChecksum,
  type MetaRow,
  sealOf,
  snapshotChecksum,
  type SnapshotRow,
} from "./sqlite-schema.ts";

/**
 * What loading and reading tell, one piece at a time. A second head takes back all that came
 * before.
 */
export type LogPart =
  | { readonly kind: "head"; readonly head: SnapshotHead | undefined }
  | { readonly kind: "chunk"; readonly body: Uint8Array }
  | { readonly kind: "batch"; readonly body: Uint8Array }
  /** Something a person should know although the log is good. */
  | { readonly kind: "note"; readonly text: string };

type Tell = (part: LogPart) => void;

interface End {
  readonly revision: Revision;
  readonly checksum: Checksum;
}

export function readMeta(db: Database, file: string): MetaRow {
  const row = db.prepare("SELECT epoch, oldest, anchor, seal FROM meta").get();
  const meta = row as MetaRow | undefined;
  if (meta !== undefined && meta.seal === sealOf(meta)) return meta;
  throw damaged({ attempt: "load the log", file }, "the row with the epoch is damaged");
}

export function writeMeta(db: Database, meta: Omit<MetaRow, "seal">): void {
  const { epoch, oldest, anchor } = meta;
  db.prepare("UPDATE meta SET epoch = ?, oldest = ?, anchor = ?, seal = ?").run(
    epoch,
    oldest,
    anchor,
    sealOf(meta),
  );
}

/** Where the next batch goes and what its checksum hangs on. */
export function endOf(db: Database): End {
  const query = "SELECT last AS revision, checksum FROM log ORDER BY first DESC LIMIT 1";
  const end = db.prepare(query).get() as End | undefined;
  return end ?? anchorOf(db);
}

export function loadLog(db: Database, file: string, tell: Tell): MetaRow {
  const meta = readMeta(db, file);
  const from = tellSnapshot(db, { meta, file, tell });
  let end = meta.oldest;
  // All that is kept is checked, though only what follows the snapshot is told.
  for (const { last, epoch, body } of batchesFrom(db, file, meta.oldest)) {
    if (epoch > meta.epoch) {
      throw broken(file, `revision ${last} is of epoch ${epoch}, but the newest is ${meta.epoch}`);
    }
    if (last > from) tell({ kind: "batch", body });
    end = last;
  }
  if (end < from) throw broken(file, `it ends at revision ${end}, before its snapshot of ${from}`);
  return meta;
}

/** Every batch that holds a commit after `from`, checked one against the other. */
export function* batchesFrom(db: Database, file: string, from: Revision): Generator<BatchRow> {
  let end = endBefore(db, from);
  const query = "SELECT first, last, epoch, checksum, body FROM log WHERE first > ? ORDER BY first";
  for (const row of db.prepare(query).iterate(end.revision) as Iterable<BatchRow>) {
    const { first, last } = row;
    if (first !== end.revision + 1 || last < first) {
      throw broken(file, `after revision ${end.revision} comes a batch of ${first} to ${last}`);
    }
    if (row.checksum !== batchChecksum(end.checksum, row)) {
      throw broken(file, `the checksum of revisions ${first} to ${last} is wrong`);
    }
    if (last > from) yield row;
    end = { revision: last, checksum: row.checksum };
  }
}

/** What the batch that holds `from` or begins after it hangs on. */
function endBefore(db: Database, from: Revision): End {
  const holding = db.prepare("SELECT max(first) AS first FROM log WHERE first <= ?").get(from + 1);
  const { first } = holding as { readonly first: Revision | null };
  const query =
    "SELECT last AS revision, checksum FROM log WHERE first < ? ORDER BY first DESC LIMIT 1";
  return (db.prepare(query).get(first ?? 0) as End | undefined) ?? anchorOf(db);
}

function anchorOf(db: Database): End {
  return db.prepare("SELECT oldest AS revision, anchor AS checksum FROM meta").get() as End;
}

/** The newest good snapshot; without one, a log that still has its beginning needs none. */
function tellSnapshot(
  db: Database,
  { meta, file, tell }: { meta: MetaRow; file: string; tell: Tell },
): Revision {
  const rows = db.prepare("SELECT * FROM snapshot ORDER BY id DESC").all() as SnapshotRow[];
  const bad: Revision[] = [];
  for (const row of rows) {
    const { revision, epoch, leadSinceMs } = row;
    const head = { revision, epoch, leadSinceMs };
    tell({ kind: "head", head });
    if (revision >= meta.oldest && isWhole(db, { row, head, tell })) {
      if (bad.length > 0) tell({ kind: "note", text: note(file, bad, `that of ${revision}`) });
      return revision;
    }
    bad.push(revision);
  }
  tell({ kind: "head", head: undefined });
  if (meta.oldest > 0) {
    const found =
      bad.length > 0
        ? `the snapshot of revision ${bad.join(" and ")} is damaged`
        : "it has no snapshot";
    throw broken(file, `${found}, and the commits up to ${meta.oldest} were compacted`);
  }
  if (bad.length > 0) tell({ kind: "note", text: note(file, bad, "all commits") });
  return 0;
}

function isWhole(
  db: Database,
  { row, head, tell }: { row: SnapshotRow; head: SnapshotHead; tell: Tell },
): boolean {
  const query = "SELECT checksum, body FROM chunk WHERE snapshot = ? ORDER BY at";
  let checksum = CHAIN_START;
  let count = 0;
  for (const chunk of db.prepare(query).iterate(row.id) as Iterable<ChunkRow>) {
    checksum = chunkChecksum(checksum, chunk.body);
    if (checksum !== chunk.checksum) return false;
    tell({ kind: "chunk", body: chunk.body });
    count += 1;
  }
  return count === row.chunks && snapshotChecksum(checksum, head) === row.checksum;
}

const broken = (file: string, found: string): Error =>
  damaged({ attempt: "load the log", file }, found);

const note = (file: string, bad: readonly Revision[], instead: string): string =>
  `The log ${file} is intact, but its snapshot of revision ${bad.join(" and ")} is damaged: loaded ${instead} instead. The next snapshot replaces it; check the disk.`;
