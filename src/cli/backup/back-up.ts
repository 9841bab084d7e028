/** Finds where a backup can be had, takes it, and says what is in it. */
import { encodeBackup } from "../../host/backup/encode-backup.ts";
import { type KeptPart, LogMovedOn } from "../../host/backup/kept-log.ts";
import { explaining } from "../../host/store/etcd/etcd-log-errors.ts";
import { LogHeld } from "../../host/store/log-store.ts";
import type { BackupOptions } from "../commands/backup.ts";
import { connect } from "../client/connect.ts";
import { readPlaneNote } from "../client/plane-file.ts";
import { dataFolder } from "../client/server-options.ts";
import { UserError } from "../../shell/errors.ts";
import type { Terminal } from "../main.ts";
import { explainingLog } from "../../serve/open-store.ts";
import { ProgressBar, stderrTarget } from "../text/progress-bar.ts";
import { VERSION } from "../../shell/version.ts";
import { inMebibytes } from "./in-mebibytes.ts";
import { keptIn, storePlace } from "./store-place.ts";
import { writeBackup, type WrittenBackup } from "./write-backup.ts";

/**
 * A log is compacted every few minutes at most, and reading it takes seconds: more tries would find
 * no calmer moment.
 */
const TRIES = 3;

export async function backUp(options: BackupOptions, terminal: Terminal): Promise<void> {
  if (options.server !== undefined && options.store !== undefined) {
    throw new UserError("bad-usage", "--server and --store cannot be used together.");
  }
  const bar = new ProgressBar(stderrTarget((text) => terminal.err(text)));
  let written: WrittenBackup;
  try {
    written = await takeBackup(options, bar);
  } finally {
    bar.clear();
  }
  terminal.out(
    options.json === true
      ? `${JSON.stringify(shown(options.out, written))}\n`
      : told(options.out, written),
  );
}

async function takeBackup(options: BackupOptions, bar: ProgressBar): Promise<WrittenBackup> {
  if (options.server !== undefined) return fromPlane(options, bar);
  return explainingLog(async () => {
    try {
      return await fromStore(options, bar);
    } catch (error) {
      // The plane that has the file open sends it, if it left a note of where it is.
      const isThere = readPlaneNote(dataFolder(options)) !== undefined;
      if (!(error instanceof LogHeld) || !isThere) throw error;
      return fromPlane(options, bar);
    }
  });
}

async function fromStore(options: BackupOptions, bar: ProgressBar): Promise<WrittenBackup> {
  const place = storePlace(options);
  const origin = { madeAt: new Date().toISOString(), by: VERSION, store: place.kind };
  for (let tries = 1; ; tries += 1) {
    const progress = { done: 0, total: 0 };
    const parts = noting(keptIn(place), progress);
    const onBytes = (bytes: number): void =>
      bar.show(progress.done, progress.total, `revisions, ${inMebibytes(bytes)} written`);
    try {
      return await explaining("back the log up", () =>
        writeBackup(options.out, encodeBackup(parts, origin), onBytes),
      );
    } catch (error) {
      if (!(error instanceof LogMovedOn)) throw error;
      if (tries >= TRIES) throw new UserError("log-unavailable", error.message);
    }
  }
}

async function* noting(
  parts: AsyncIterable<KeptPart>,
  progress: { done: number; total: number },
): AsyncGenerator<KeptPart> {
  let oldest = 0;
  for await (const part of parts) {
    if (part.kind === "log") {
      ({ oldest } = part.log);
      progress.total = part.log.end - oldest;
    } else if (part.kind === "batch") progress.done = part.batch.last - oldest;
    yield part;
  }
}

async function fromPlane(options: BackupOptions, bar: ProgressBar): Promise<WrittenBackup> {
  const bytes = connect(options).bytes("/backup", new AbortController().signal);
  // The size is unknown beforehand.
  return writeBackup(options.out, bytes, (done) => bar.show(0, 1, `${inMebibytes(done)} received`));
}

function shown(file: string, { bounds, origin, objects, commits, bytes, fold }: WrittenBackup) {
  const snapshots = fold.snapshots.map(({ revision }) => revision);
  const { end: revision, epoch, oldest } = bounds;
  return { file, revision, epoch, oldest, objects, commits, snapshots, bytes, ...origin };
}

function told(file: string, { bounds, objects, commits, bytes }: WrittenBackup): string {
  return `Backed up revision ${bounds.end} to ${file}: ${objects} objects, ${commits} commits after revision ${bounds.oldest}, ${inMebibytes(bytes)}.
The file contains environments of workloads, which may hold secrets; only you can read it.\n`;
}
