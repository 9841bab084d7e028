/**
 * Opens the log file of a plane that is stopped, to look at it and nothing else: it is locked, so
 * that no plane starts on it meanwhile, recognised, and read without being written to.
 */
import { existsSync } from "node:fs";
import { FileLock } from "../store/file-lock.ts";
import { LogUnavailable } from "../store/log-store.ts";
import { recognise } from "../store/open-log-file.ts";
import type { OpenDatabase } from "../store/sqlite-database.ts";
import { damaged, explain } from "../store/sqlite-errors.ts";
import { findWalDamage } from "../store/wal-check.ts";
import { FileCopy, openForCopy } from "./file-copy.ts";
import type { KeptPart } from "./kept-log.ts";

const attempt = "read the log";

/** Throws LogHeld, LogDamaged or LogUnavailable, whose messages say what to do. */
export function* keptInFile(open: OpenDatabase, file: string): Generator<KeptPart> {
  if (!existsSync(file)) {
    throw new LogUnavailable(
      `Cannot ${attempt} ${file}: it does not exist. Set the directory of the plane with --data, or its store with --store.`,
    );
  }
  const lock = FileLock.take(open, file);
  try {
    const broken = findWalDamage(`${file}-wal`);
    if (broken !== undefined) throw damaged({ attempt, file }, broken);
    checkPages(open, file);
    const copy = new FileCopy(openForCopy(open, file), file);
    try {
      for (let parts = copy.next(); parts.length > 0; parts = copy.next()) yield* parts;
    } finally {
      copy.release().close();
    }
  } catch (error) {
    throw explain(error, { attempt, file });
  } finally {
    lock.release();
  }
}

/** SQLite's own look at its file: a page that nothing refers to any more can break, too. */
function checkPages(open: OpenDatabase, file: string): void {
  const db = open(file, { timeout: 0, readOnly: true });
  try {
    recognise(db, file);
    const rows = db.prepare("PRAGMA integrity_check(1)").all() as readonly object[];
    const said = String(Object.values(rows[0] ?? {})[0] ?? "");
    if (said !== "ok") throw damaged({ attempt, file }, `SQLite reports damage: ${said}`);
  } finally {
    db.close();
  }
}
