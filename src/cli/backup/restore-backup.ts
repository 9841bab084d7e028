/** Reads a backup whole, then writes it into an empty store, and says how the log goes on. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { basename, dirname } from "node:path";
import { loginName } from "../../shell/login-name.ts";
import { makeDataFolder } from "../../shell/private-folder.ts";
import { BackupKept } from "../../host/backup/backup-kept.ts";
import { assertEmptyEtcd, restoreToEtcd } from "../../host/backup/restore-to-etcd.ts";
import { assertEmptyFile, restoreToSqlite } from "../../host/backup/restore-to-sqlite.ts";
import { leapt, moved, type RestoredLog, StoreNotEmpty } from "../../host/backup/restored-log.ts";
import { loadSqlite } from "../../host/store/sqlite-database.ts";
import { UserError } from "../../shell/errors.ts";
import type { Terminal } from "../main.ts";
import { explainingLog } from "../../serve/open-store.ts";
import type { RestoreOptions } from "../commands/restore.ts";
import { type ReadBackup, readBackup } from "./read-backup.ts";
import { type StorePlace, storePlace, withEtcd } from "./store-place.ts";

export async function restore(
  file: string,
  options: RestoreOptions,
  terminal: Terminal,
): Promise<void> {
  const place = storePlace(options);
  const backup = await readBackup(file);
  const by = { user: loginName(), atMs: Date.now(), from: await wordsOf(file, backup) };
  const log =
    options.move === true
      ? moved(backup.fold, () => new BackupKept(file).parts(), by)
      : leapt(backup.fold, by);
  const isDry = options.dryRun === true;
  await refusingFull(() => (isDry ? lookAt(place) : write(place, log)));
  const report = reportOf({ file, place, backup, log, isDry });
  terminal.out(options.json === true ? `${JSON.stringify(report)}\n` : told(report));
}

/** The hash says which file it was, whatever it is called later. */
async function wordsOf(file: string, { origin, bounds }: ReadBackup): Promise<string> {
  const hash = createHash("sha256");
  for await (const part of createReadStream(file)) hash.update(part as Buffer);
  const name = basename(file).slice(0, FILE_NAME_MOST);
  return `of ${name}, made at ${origin.madeAt} at revision ${bounds.end}, SHA-256 ${hash.digest("hex")}`;
}

/** As long as a name may be on most file systems. */
const FILE_NAME_MOST = 255;

async function lookAt(place: StorePlace): Promise<void> {
  if (place.kind === "sqlite") assertEmptyFile(await loadSqlite(), place.file);
  else await withEtcd(place.where, "look at the store", assertEmptyEtcd);
}

async function write(place: StorePlace, log: RestoredLog): Promise<void> {
  if (place.kind === "etcd") {
    return withEtcd(place.where, "restore the log", (client, layout) =>
      restoreToEtcd(client, layout, log),
    );
  }
  makeFolderOf(place.file);
  return restoreToSqlite(await loadSqlite(), place.file, log);
}

async function refusingFull(work: () => Promise<void>): Promise<void> {
  try {
    await explainingLog(work);
  } catch (error) {
    if (error instanceof StoreNotEmpty) throw new UserError("store-not-empty", error.message);
    throw error;
  }
}

function makeFolderOf(file: string): void {
  try {
    makeDataFolder(dirname(file));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError("unwritable-file", `${reason}.`, { file: dirname(file) });
  }
}

interface Restored {
  readonly file: string;
  readonly to: string;
  readonly dryRun: boolean;
  readonly madeAt: string;
  /** Where the backup ends. */
  readonly revision: number;
  readonly objects: number;
  /** How many commits are still there for watchers that resume. */
  readonly commits: number;
  readonly goesOnAfterRevision: number;
  readonly goesOnAfterEpoch: number;
}

function reportOf(of: {
  readonly file: string;
  readonly place: StorePlace;
  readonly backup: ReadBackup;
  readonly log: RestoredLog;
  readonly isDry: boolean;
}): Restored {
  const { end, oldest, epoch } = of.log.bounds;
  return {
    file: of.file,
    to: of.place.shown,
    dryRun: of.isDry,
    madeAt: of.backup.origin.madeAt,
    revision: of.backup.bounds.end,
    objects: of.backup.objects,
    // The last one says that the log was restored.
    commits: end - oldest - 1,
    goesOnAfterRevision: end,
    goesOnAfterEpoch: epoch,
  };
}

function told(of: Restored): string {
  const done = of.dryRun ? "Would restore" : "Restored";
  return `${done} revision ${of.revision} of ${of.madeAt} to ${of.to}: ${of.objects} objects, ${of.commits} commits.
The log continues after revision ${of.goesOnAfterRevision} and epoch ${of.goesOnAfterEpoch}.\n`;
}
