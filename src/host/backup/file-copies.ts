/**
 * The readers of a log file that copy it at the same time, by number. A connection that has done
 * its work is kept for the next copy: SQLite lets go of a closed one only when its statements are
 * collected as garbage, which may be never, and every backup would keep two descriptors and its
 * pages until then.
 */
import type { Database, OpenDatabase } from "../store/sqlite-database.ts";
import { FileCopy, openForCopy } from "./file-copy.ts";
import type { KeptPart } from "./kept-log.ts";

export class FileCopies {
  private readonly open: OpenDatabase;
  private readonly file: string;
  private readonly underWay = new Map<number, FileCopy>();
  private readonly idle: Database[] = [];

  constructor(open: OpenDatabase, file: string) {
    this.open = open;
    this.file = file;
  }

  /**
   * What comes next of all that is kept; nothing at its end. The first question for a number begins
   * its copy.
   */
  next(number: number): readonly KeptPart[] {
    const copy = this.underWay.get(number) ?? this.begin();
    this.underWay.set(number, copy);
    return copy.next();
  }

  end(number: number): void {
    const db = this.underWay.get(number)?.release();
    this.underWay.delete(number);
    if (db !== undefined) this.idle.push(db);
  }

  close(): void {
    for (const number of this.underWay.keys()) this.end(number);
    for (const db of this.idle.splice(0)) db.close();
  }

  private begin(): FileCopy {
    return new FileCopy(this.idle.pop() ?? openForCopy(this.open, this.file), this.file);
  }
}
