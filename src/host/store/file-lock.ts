/**
 * One process at a time has a log open. The lock is the kernel's, on a small file beside the log,
 * so it ends with its holder however that one ends; the file also says who that is. It is a
 * courtesy: what keeps two writers apart for certain is the epoch, which is checked inside every
 * write.
 *
 * The holder keeps a write transaction open on the lock file, which others can still read.
 */
import { hostname } from "node:os";
import { makePrivate } from "./make-private.ts";
import { LogHeld } from "./log-store.ts";
import type { Database, OpenDatabase } from "./sqlite-database.ts";
import { explain, isBusy } from "./sqlite-errors.ts";

export interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly since: string;
}

/** Long enough for a holder to write its name, which is the only time the file cannot be read. */
const READ_TIMEOUT_MS = 1_000;

export class FileLock {
  private readonly db: Database;

  private constructor(db: Database) {
    this.db = db;
  }

  static take(open: OpenDatabase, file: string): FileLock {
    const path = `${file}-lock`;
    let db: Database | undefined;
    try {
      makePrivate(path);
      db = open(path, { timeout: 0 });
      db.exec("BEGIN IMMEDIATE");
      db.exec(
        "CREATE TABLE IF NOT EXISTS holder (only INTEGER PRIMARY KEY CHECK (only = 1), pid INTEGER NOT NULL, host TEXT NOT NULL, since TEXT NOT NULL) STRICT",
      );
      db.prepare("INSERT OR REPLACE INTO holder VALUES (1, ?, ?, ?)").run(
        process.pid,
        hostname(),
        new Date().toISOString(),
      );
      db.exec("COMMIT");
      // From here on the name can be read. A process that takes the lock between the two statements
      // has it.
      db.exec("BEGIN IMMEDIATE");
      return new FileLock(db);
    } catch (error) {
      if (db !== undefined) letGo(db);
      if (isBusy(error)) throw held(open, file);
      throw explain(error, { attempt: "take the lock", file: path });
    }
  }

  release(): void {
    letGo(this.db);
  }
}

function letGo(db: Database): void {
  if (db.isTransaction) db.exec("ROLLBACK");
  db.close();
}

function holderIn(db: Database): Holder | undefined {
  return db.prepare("SELECT pid, host, since FROM holder").get() as Holder | undefined;
}

function held(open: OpenDatabase, file: string): LogHeld {
  let db: Database | undefined;
  try {
    db = open(`${file}-lock`, { timeout: READ_TIMEOUT_MS });
    return new LogHeld(sentence(file, holderIn(db)));
  } catch {
    // The name is for people; without it the lock holds all the same.
    return new LogHeld(sentence(file, undefined));
  } finally {
    db?.close();
  }
}

function sentence(file: string, holder: Holder | undefined): string {
  const who = holder
    ? `process ${holder.pid} on ${holder.host} has had it open since ${holder.since}`
    : "another process is just opening it";
  return `Cannot open the log ${file}: ${who}. Stop that process first, or use another directory.`;
}
