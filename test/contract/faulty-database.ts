/**
 * A SQLite whose disk fails on order. What a failed commit leaves behind is up to the test, as it is up to
 * the disk: all of it or nothing.
 */
import type { AppendFault } from "../../src/host/store/memory-log.ts";
import type { Database, OpenDatabase } from "../../src/host/store/sqlite-database.ts";

const IO_ERROR_ON_SYNC = 1034;
const FULL = 13;

export class FaultyDisk {
  private readonly faults: AppendFault[] = [];

  /** Each fault ordered meets one commit of the log, in order. */
  orderFault(fault: AppendFault): void {
    this.faults.push(fault);
  }

  over(open: OpenDatabase): OpenDatabase {
    return (file, options) => {
      const db = open(file, options);
      return file.endsWith("-lock") ? db : this.between(db);
    };
  }

  private between(db: Database): Database {
    return {
      get isTransaction() {
        return db.isTransaction;
      },
      prepare: (sql) => db.prepare(sql),
      close: () => db.close(),
      exec: (sql) => {
        const fault = sql === "COMMIT" ? this.faults.shift() : undefined;
        if (fault === "lost-unknown") db.exec("ROLLBACK");
        if (fault === "unavailable") throw sqliteError(FULL, "database or disk is full");
        db.exec(fault === "lost-unknown" ? "SELECT 1" : sql);
        if (fault !== undefined) throw sqliteError(IO_ERROR_ON_SYNC, "disk I/O error");
      },
    };
  }
}

const sqliteError = (errcode: number, message: string): Error =>
  Object.assign(new Error(message), { errcode });
