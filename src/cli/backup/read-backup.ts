/**
 * Reads a backup whole and puts together what it holds, so that a backup that passes can be
 * restored.
 */
import { ownCommand } from "../text/own-command.ts";
import { BackupKept } from "../../host/backup/backup-kept.ts";
import type { BackupOrigin } from "../../host/backup/backup-format.ts";
import type { KeptBounds } from "../../host/backup/kept-log.ts";
import { KeptFold } from "../../host/check/kept-fold.ts";
import { UserError } from "../../shell/errors.ts";

export interface ReadBackup {
  readonly fold: KeptFold;
  readonly bounds: KeptBounds;
  readonly origin: BackupOrigin;
  readonly objects: number;
  readonly commits: number;
}

export async function readBackup(file: string): Promise<ReadBackup> {
  const kept = new BackupKept(file);
  const fold = new KeptFold([], { isQuick: true });
  try {
    for await (const part of kept.parts()) fold.add(part);
  } catch (error) {
    if (!(error instanceof Error) || !("syscall" in error)) throw error;
    throw new UserError("unreadable-file", `${error.message}.`, { file });
  }
  fold.finish();
  const { bounds, ledger } = fold;
  const { origin } = kept;
  // One broken snapshot of two costs nothing: the other one and the commits say the same.
  const wrong = fold.findings.find(({ check }) => check !== "snapshots" || ledger === undefined);
  if (wrong !== undefined || bounds === undefined || ledger === undefined || origin === undefined) {
    const found = wrong === undefined ? "it has no header" : `${wrong.where}: ${wrong.found}`;
    throw new UserError(
      "backup-damaged",
      `${found}. Use another backup; \`${ownCommand()} store check ${file}\` lists every fault of this one.`,
      { file },
    );
  }
  const commits = fold.counts.revisions ?? 0;
  return { fold, bounds, origin, objects: ledger.objects.size, commits };
}
