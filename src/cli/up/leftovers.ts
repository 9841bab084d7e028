/**
 * What a `berth up` that was killed has left running. Its children live in sessions of their own,
 * so the next one ends them before it starts its own; the replicas they looked after go on and are
 * taken over.
 */
import { ownCommand } from "../text/own-command.ts";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { makeDataFolder, OWNER_ONLY_FILE } from "../../shell/private-folder.ts";
import { isRunning, type ProcessIdentity, startTicksOf } from "../../shell/process-identity.ts";
import { readOwnFile } from "../client/own-file.ts";
import { UserError } from "../../shell/errors.ts";

export interface RunningUp {
  readonly own: ProcessIdentity;
  readonly children: readonly ProcessIdentity[];
}

const fileIn = (folder: string): string => join(folder, "up.json");

export function noteRunning(folder: string, children: readonly ProcessIdentity[]): void {
  makeDataFolder(folder);
  const own = { pid: process.pid, startTicks: startTicksOf(process.pid) ?? 0 };
  const note: RunningUp = { own, children };
  const beside = `${fileIn(folder)}.new`;
  writeFileSync(beside, `${JSON.stringify(note)}\n`, { mode: OWNER_ONLY_FILE });
  renameSync(beside, fileIn(folder));
}

export function removeNote(folder: string): void {
  rmSync(fileIn(folder), { force: true });
}

const LOOK_MS = 50;
/** The kernel takes a process away at once, unless the disk it writes to does not answer. */
const GONE_MS = 5_000;

/**
 * Throws when the folder is in use; otherwise nothing of an earlier run is left when it resolves.
 */
export async function clearLeftovers(folder: string): Promise<number> {
  const note = read(folder);
  if (note === undefined) return 0;
  if (isRunning(note.own) && note.own.pid !== process.pid) {
    throw new UserError(
      "log-unavailable",
      `Another \`${ownCommand()} up\` (process ${note.own.pid}) is using ${folder}. Stop it, or use another directory with --data.`,
    );
  }
  const left = note.children.filter(isRunning);
  for (const { pid } of left) process.kill(pid, "SIGKILL");
  const endMs = performance.now() + GONE_MS;
  while (left.some(isRunning) && performance.now() < endMs) await sleep(LOOK_MS);
  removeNote(folder);
  return left.length;
}

function read(folder: string): RunningUp | undefined {
  // What it names is killed: another user must not choose it.
  const found = readOwnFile(fileIn(folder));
  try {
    return found === undefined ? undefined : (JSON.parse(found.text) as RunningUp);
  } catch {
    return undefined;
  }
}
