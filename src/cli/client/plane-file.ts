/**
 * The note a plane leaves beside its log, so that other commands find it without being told where
 * it is. Where `berth up` runs several planes it leaves one note with all of their addresses, and
 * each plane one in its own folder.
 */
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeDataFolder, OWNER_ONLY_FILE } from "../../shell/private-folder.ts";
import { isRunning, startTicksOf } from "../../shell/process-identity.ts";
import { readOwnFile } from "./own-file.ts";

export interface PlaneNote {
  /** Of several, the first. */
  readonly url: string;
  /** Whose note it is. */
  readonly pid: number;
  /** All of them, where there are several. */
  readonly urls?: readonly string[];
  /** Where the token of the user who started it is; left out: it has no such token. */
  readonly tokenFile?: string;
  /** Certificates under which the planes also speak TLS at these addresses. */
  readonly caFiles?: readonly string[];
  /** When the kernel started that process; left out: this system does not say. */
  readonly startTicks?: number;
}

/** As it was found. */
export interface FoundNote extends PlaneNote {
  /** The user who left it; undefined on systems without user ids. */
  readonly owner: number | undefined;
}

const fileIn = (folder: string): string => join(folder, "plane.json");

/** Renamed into place: a reader sees the old note or the new one, never a part. */
export function writePlaneNote(folder: string, note: PlaneNote): void {
  makeDataFolder(folder);
  const beside = `${fileIn(folder)}.${note.pid}`;
  const startTicks = startTicksOf(note.pid);
  const full: PlaneNote = { ...note, ...(startTicks === undefined ? {} : { startTicks }) };
  writeFileSync(beside, `${JSON.stringify(full)}\n`, { mode: OWNER_ONLY_FILE });
  renameSync(beside, fileIn(folder));
}

/** Undefined where no plane of this user has left one; root believes those of others as well. */
export function readPlaneNote(folder: string, self = process.getuid?.()): FoundNote | undefined {
  const found = readOwnFile(fileIn(folder), self);
  if (found === undefined) return undefined;
  try {
    const note = JSON.parse(found.text) as Partial<PlaneNote>;
    const { url, pid, urls, tokenFile, startTicks, caFiles } = note;
    if (typeof url !== "string" || typeof pid !== "number") return undefined;
    return {
      url,
      pid,
      owner: found.owner,
      ...(typeof startTicks === "number" ? { startTicks } : {}),
      ...(isTexts(urls) ? { urls } : {}),
      ...(isTexts(caFiles) ? { caFiles } : {}),
      ...(typeof tokenFile === "string" ? { tokenFile } : {}),
    };
  } catch {
    return undefined;
  }
}

const isTexts = (texts: unknown): texts is readonly string[] =>
  Array.isArray(texts) && texts.length > 0 && texts.every((text) => typeof text === "string");

/**
 * Whether these addresses are those of the note, and the process that left it runs and is ours:
 * somebody else may listen where a plane was, and would be sent its token.
 */
export function isOfOwnPlane(
  { url, urls = [url], pid, startTicks }: PlaneNote,
  asked: readonly URL[],
): boolean {
  const own = new Set(urls.map((each) => new URL(each).origin));
  if (!asked.every(({ origin }) => own.has(origin))) return false;
  // The number alone may be that of another process by now, and root may signal every process.
  return startTicks === undefined ? isOwnProcess(pid) : isRunning({ pid, startTicks });
}

/**
 * The token that the note names, if both have the same owner; undefined otherwise. A note may name
 * any file: root reads the notes of others, and must not send them a token of its own.
 */
export function readNotedToken({ tokenFile, owner }: FoundNote): string | undefined {
  const found = tokenFile === undefined ? undefined : readOwnFile(tokenFile);
  const token = found?.owner === owner ? found?.text.trim() : undefined;
  return token !== undefined && /^[\x21-\x7E]+$/.test(token) ? token : undefined;
}

/**
 * The certificates that the note names, as one text; undefined if one is missing or belongs to
 * another user, who could read with it what is meant for the plane.
 */
export function readNotedCertificates({ caFiles = [], owner }: FoundNote): string | undefined {
  const found = caFiles.map((file) => readOwnFile(file));
  if (found.length === 0 || !found.every((each) => each?.owner === owner)) return undefined;
  return found.map((each) => each?.text).join("");
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
