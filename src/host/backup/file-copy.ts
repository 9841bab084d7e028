/**
 * Reads a log file on a connection of its own, in one transaction: its content is of one moment,
 * and the writer of the file goes on meanwhile. A little at a time, because appends wait on the
 * same thread.
 */
import type { Database, OpenDatabase } from "../store/sqlite-database.ts";
import { explain } from "../store/sqlite-errors.ts";
import type { KeptPart } from "./kept-log.ts";
import { sqliteKept } from "./sqlite-kept.ts";

/** A few milliseconds of reading. */
const BYTES_AT_ONCE = 1024 * 1024;
const attempt = "read the log";
/** Only somebody who takes the whole file for itself keeps readers out, and never for long. */
const BUSY_MS = 5_000;

export class FileCopy {
  private readonly file: string;
  private readonly db: Database;
  private readonly parts: Iterator<KeptPart>;

  /** The connection is for this copy alone until it is released. */
  constructor(db: Database, file: string) {
    this.file = file;
    this.db = db;
    this.db.exec("BEGIN");
    this.parts = sqliteKept(this.db);
  }

  /**
   * What comes next; nothing when that was all. Throws LogDamaged where SQLite cannot read its own
   * file.
   */
  next(): readonly KeptPart[] {
    const told: KeptPart[] = [];
    let bytes = 0;
    try {
      while (bytes < BYTES_AT_ONCE) {
        const { value, done } = this.parts.next();
        if (done === true) break;
        told.push(value);
        bytes += sizeOf(value);
      }
    } catch (error) {
      throw explain(error, { attempt, file: this.file });
    }
    return told;
  }

  /** Ends the transaction and gives the connection back, as it was. */
  release(): Database {
    if (this.db.isTransaction) this.db.exec("ROLLBACK");
    return this.db;
  }
}

export const openForCopy = (open: OpenDatabase, file: string): Database =>
  open(file, { timeout: BUSY_MS, readOnly: true });

/** Counted a little even where there are no bytes, so that it ends. */
function sizeOf(part: KeptPart): number {
  const bytes = part.kind === "chunk" ? part.body.length : 0;
  return 100 + (part.kind === "batch" ? part.batch.body.length : bytes);
}
