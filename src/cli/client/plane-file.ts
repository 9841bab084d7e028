/**
 * The note a plane leaves beside its log, so that other commands find it without being told where it is. Where
 * `berth up` runs several planes it leaves one note with all of their addresses, and each plane one in its own folder.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface PlaneNote {
  /** Of several, the first. */
  readonly url: string;
  /** Whose note it is. */
  readonly pid: number;
  /** All of them, where there are several. */
  readonly urls?: readonly string[];
}

const fileIn = (folder: string): string => join(folder, "plane.json");

/** Renamed into place: whoever reads it meanwhile sees the old note or the new one, never a part. */
export function writePlaneNote(folder: string, note: PlaneNote): void {
  mkdirSync(folder, { recursive: true });
  const beside = `${fileIn(folder)}.${note.pid}`;
  writeFileSync(beside, `${JSON.stringify(note)}\n`);
  renameSync(beside, fileIn(folder));
}

/** Undefined where no plane has left one. */
export function readPlaneNote(folder: string): PlaneNote | undefined {
  try {
    const note = JSON.parse(readFileSync(fileIn(folder), "utf8")) as Partial<PlaneNote>;
    const { url, pid, urls } = note;
    if (typeof url !== "string" || typeof pid !== "number") return undefined;
    return isAddresses(urls) ? { url, pid, urls } : { url, pid };
  } catch {
    return undefined;
  }
}

const isAddresses = (urls: unknown): urls is readonly string[] =>
  Array.isArray(urls) && urls.length > 0 && urls.every((url) => typeof url === "string");

/** Takes down our own note; a plane that started since has put up another. */
export function removePlaneNote(folder: string, pid: number): void {
  if (readPlaneNote(folder)?.pid === pid) rmSync(fileIn(folder), { force: true });
}
