/**
 * The note a plane leaves beside its log, so that other commands find it without being told where it is. Where
 * `berth up` runs several planes it leaves one note with all of their addresses, and each plane one in its own folder.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeDataFolder, OWNER_ONLY_FILE } from "../../agent/private-folder.ts";

export interface PlaneNote {
  /** Of several, the first. */
  readonly url: string;
  /** Whose note it is. */
  readonly pid: number;
  /** All of them, where there are several. */
  readonly urls?: readonly string[];
  /** Where the token of the user who started it is; left out: it has no such token. */
  readonly tokenFile?: string;
}

const fileIn = (folder: string): string => join(folder, "plane.json");

/** Renamed into place: whoever reads it meanwhile sees the old note or the new one, never a part. */
export function writePlaneNote(folder: string, note: PlaneNote): void {
  makeDataFolder(folder);
  const beside = `${fileIn(folder)}.${note.pid}`;
  writeFileSync(beside, `${JSON.stringify(note)}\n`, { mode: OWNER_ONLY_FILE });
  renameSync(beside, fileIn(folder));
}

/** Undefined where no plane has left one. */
export function readPlaneNote(folder: string): PlaneNote | undefined {
  try {
    const note = JSON.parse(readFileSync(fileIn(folder), "utf8")) as Partial<PlaneNote>;
    const { url, pid, urls, tokenFile } = note;
    if (typeof url !== "string" || typeof pid !== "number") return undefined;
    return {
      url,
      pid,
      ...(isAddresses(urls) ? { urls } : {}),
      ...(typeof tokenFile === "string" ? { tokenFile } : {}),
    };
  } catch {
    return undefined;
  }
}

const isAddresses = (urls: unknown): urls is readonly string[] =>
  Array.isArray(urls) && urls.length > 0 && urls.every((url) => typeof url === "string");

/**
 * Whether these addresses are those of the note, and the process that left it runs and is ours: somebody else may listen
 * where a plane was, and would be sent its token.
 */
export function isOfOwnPlane(
  { url, urls = [url], pid }: PlaneNote,
  asked: readonly URL[],
): boolean {
  const own = new Set(urls.map((each) => new URL(each).origin));
  return asked.every(({ origin }) => own.has(origin)) && isOwnProcess(pid);
}

function isOwnProcess(pid: number): boolean {
  try {
    // Sends nothing; fails where the process is gone, or another user's.
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Takes down our own note; a plane that started since has put up another. */
export function removePlaneNote(folder: string, pid: number): void {
  if (readPlaneNote(folder)?.pid === pid) rmSync(fileIn(folder), { force: true });
}
