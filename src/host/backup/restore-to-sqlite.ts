/**
 * Writes a log into a SQLite file that has none yet, in one transaction: all of it is there, or
 * nothing.
 */
import { existsSync } from "node:fs";
import { linkChunk } from "../store/chain-link.ts";
import { CHAIN_START } from "../store/checksum.ts";
import { writeMeta } from "../store/load-log.ts";
import { KEPT_REVISIONS } from "../store/log-rules.ts";
import { openLogFile, type OpenedFile } from "../store/open-log-file.ts";
import { snapshotChunks } from "../store/snapshot-chunks.ts";
import { SqliteSnapshots } from "../store/sqlite-snapshots.ts";
import type { Database, OpenDatabase } from "../store/sqlite-database.ts";
import { explain } from "../store/sqlite-errors.ts";
import { batchChecksum } from "../store/sqlite-schema.ts";
import { type RestoredLog, StoreNotEmpty } from "./restored-log.ts";

const attempt = "restore into";

/** Throws StoreNotEmpty when a plane has ever had this log; makes nothing where there is none. */
export function assertEmptyFile(open: OpenDatabase, file: string): void {
  if (existsSync(file)) withFile(open, file, ({ db }) => assertEmpty(db, file));
}

export async function restoreToSqlite(
  open: OpenDatabase,
  file: string,
  log: RestoredLog,
): Promise<void> {
  await withFile(open, file, async ({ db, raiseFormat }) => {
    assertEmpty(db, file);
    db.exec("BEGIN IMMEDIATE");
    try {
      raiseFormat?.();
      await write(db, log);
      db.exec("COMMIT");
    } finally {
      if (db.isTransaction) db.exec("ROLLBACK");
    }
    db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  });
}

async function write(db: Database, log: RestoredLog): Promise<void> {
  const { bounds, snapshots } = log;
  const stored = new SqliteSnapshots(db, KEPT_REVISIONS);
  for (const snapshot of snapshots) {
    const { revision, epoch, leadSinceMs } = snapshot;
    let chunks = 0;
    for (const body of snapshotChunks(snapshot)) {
      stored.add(chunks, body);
      chunks += 1;
    }
    if (log.link !== undefined && revision === bounds.oldest) {
      stored.add(chunks, linkChunk(log.link));
      chunks += 1;
    }
    stored.keep({ revision, epoch, leadSinceMs }, chunks);
  }
  const insert = db.prepare("INSERT INTO log VALUES (?, ?, ?, ?, ?)");
  let previous = CHAIN_START;
  for await (const batch of log.batches()) {
    previous = batchChecksum(previous, batch);
    insert.run(batch.first, batch.last, batch.epoch, previous, batch.body);
  }
  const { epoch, oldest } = bounds;
  writeMeta(db, { epoch, oldest, anchor: CHAIN_START });
}

function assertEmpty(db: Database, file: string): void {
  const query =
    "SELECT epoch, (SELECT count(*) FROM log) + (SELECT count(*) FROM snapshot) AS rows FROM meta";
  const { epoch, rows } = db.prepare(query).get() as { epoch: number; rows: number };
  if (epoch === 0 && rows === 0) return;
  throw new StoreNotEmpty(
    `${file} is the log of a plane that was at epoch ${epoch}. Nothing was changed. Move it away together with ${file}-wal, or restore into another folder with --data.`,
  );
}

function withFile<T>(open: OpenDatabase, file: string, work: (opened: OpenedFile) => T): T {
  const opened = openLogFile(open, file, { keptRevisions: KEPT_REVISIONS, lock: true });
  const close = (): void => {
    opened.db.close();
    opened.lock?.release();
  };
  try {
    const result = work(opened);
    if (result instanceof Promise) {
      return result.finally(close).catch((error: unknown) => {
        throw explain(error, { attempt, file });
      }) as T;
    }
    close();
    return result;
  } catch (error) {
    close();
    throw explain(error, { attempt, file });
  }
}
