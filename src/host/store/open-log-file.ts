/**
 * Opens the file of a log, or makes one, and refuses whatever is not a log that can be trusted. A
 * file is recognised before anything is written to it.
 */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { type Format, FORMATS, whyUnread } from "../formats.ts";
import { makePrivate } from "./make-private.ts";
import { FileLock } from "./file-lock.ts";
import { LogOfOtherFormat } from "./log-store.ts";
import type { Database, OpenDatabase } from "./sqlite-database.ts";
import { damaged, explain } from "./sqlite-errors.ts";
import { FIRST_ROW, TABLES } from "./sqlite-schema.ts";
import { findWalDamage } from "./wal-check.ts";

export interface LogFileOptions {
  readonly keptRevisions: number;
  /** Without it, several processes may have the file open, and only the epoch keeps them apart. */
  readonly lock: boolean;
  /** For tests: as much of a disk as a file may take before it is full. */
  readonly maxPages?: number;
  /** For tests: as a later version would open it. */
  readonly format?: Format;
}

export interface OpenedFile {
  readonly db: Database;
  readonly lock: FileLock | undefined;
  /**
   * Of a log that an older build wrote. Its content stays as it is and is migrated on read
   * (`formats.ts`); the first write of this build raises the number, so that the older one refuses
   * the log.
   */
  readonly raiseFormat: (() => void) | undefined;
}

/** "BRTH": tells a log from any other SQLite database. */
const APPLICATION_ID = 0x42525448;

/** How long a write waits for another process that has the file open, as a backup has. */
const BUSY_MS = 5_000;

/**
 * FULL makes every commit durable before it returns. The write-ahead file is moved into the
 * database every 4 MB, so that it is written over in place, which syncs faster than growing, and
 * never takes long to read.
 */
const SETTINGS = [
  "PRAGMA journal_mode = WAL",
  "PRAGMA synchronous = FULL",
  "PRAGMA wal_autocheckpoint = 1000",
  "PRAGMA journal_size_limit = 67108864",
  "PRAGMA cell_size_check = ON",
];

const attempt = "open the log";

export function openLogFile(open: OpenDatabase, file: string, options: LogFileOptions): OpenedFile {
  const lock = options.lock ? FileLock.take(open, file) : undefined;
  let db: Database | undefined;
  try {
    if (!isThere(file, options)) create(open, file);
    db = open(file, { timeout: BUSY_MS });
    const { format = FORMATS.logFile } = options;
    const isOlder = recognise(db, file, format) < format.written;
    for (const setting of SETTINGS) db.exec(setting);
    if (options.maxPages !== undefined) db.exec(`PRAGMA max_page_count = ${options.maxPages}`);
    return { db, lock, raiseFormat: isOlder ? raising(db, format) : undefined };
  } catch (error) {
    db?.close();
    lock?.release();
    throw explain(error, { attempt, file });
  }
}

/**
 * Whether there is a log to open; throws where the files around it show that a part of it is gone.
 */
function isThere(file: string, { lock }: LogFileOptions): boolean {
  const size = sizeOf(file);
  if (size === undefined) {
    if (sizeOf(`${file}-wal`) === undefined) return false;
    throw damaged({ attempt, file }, `the file is missing, but ${file}-wal exists`);
  }
  // A new log is made aside and moved into place, so an empty file was emptied by somebody.
  if (size === 0) throw damaged({ attempt, file }, "the file is empty");
  // Without the lock somebody may be writing just now, and what is half written looks broken.
  const broken = lock ? findWalDamage(`${file}-wal`) : undefined;
  if (broken !== undefined) throw damaged({ attempt, file }, broken);
  return true;
}

function create(open: OpenDatabase, file: string): void {
  const making = `${file}-new`;
  for (const suffix of ["", "-journal", "-wal"]) rmSync(making + suffix, { force: true });
  // SQLite gives the files beside it the same rights.
  makePrivate(making);
  const db = open(making, { timeout: BUSY_MS });
  try {
    db.exec("PRAGMA synchronous = FULL");
    db.exec(`BEGIN; ${[...TABLES, FIRST_ROW].join(";")}; COMMIT`);
    db.exec(
      `PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${FORMATS.logFile.written}`,
    );
  } finally {
    db.close();
  }
  renameSync(making, file);
  const folder = openSync(dirname(file), "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/**
 * Answers its format, which this build reads. Throws LogDamaged for anything else, and writes
 * nothing.
 */
export function recognise(db: Database, file: string, reads: Format = FORMATS.logFile): number {
  const { application_id: application } = db.prepare("PRAGMA application_id").get() as {
    readonly application_id: number;
  };
  if (application !== APPLICATION_ID) {
    throw damaged({ attempt, file }, "it is a SQLite database, but not a Berth log");
  }
  const { user_version: format } = db.prepare("PRAGMA user_version").get() as {
    readonly user_version: number;
  };
  const why = whyUnread(reads, format);
  if (why !== undefined) throw new LogOfOtherFormat(`Cannot ${attempt} ${file}: ${why}.`);
  const query = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name";
  const tables = db.prepare(query).all() as { readonly sql: string }[];
  if (tables.map(({ sql }) => sql).join(";") !== TABLES.join(";")) {
    throw damaged({ attempt, file }, "its tables are not those of a Berth log");
  }
  return format;
}

const raising =
  (db: Database, { written }: Format): (() => void) =>
  () =>
    db.exec(`PRAGMA user_version = ${written}`);

function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size;
}
