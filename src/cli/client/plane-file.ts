/** The note a plane leaves beside its log, so that other commands find it without being told where it is. */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface PlaneNote {
  readonly url: string;
  readonly pid: number;
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
    const { url, pid } = JSON.parse(readFileSync(fileIn(folder), "utf8")) as Partial<PlaneNote>;
    return typeof url === "string" && typeof pid === "number" ? { url, pid } : undefined;
  } catch {
    return undefined;
  }
}

/** Takes down our own note; a plane that started since has put up another. */
export function removePlaneNote(folder: string, pid: number): void {
  if (readPlaneNote(folder)?.pid === pid) rmSync(fileIn(folder), { force: true });
}
