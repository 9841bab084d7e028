/**
 * The modes of what planes and agents write: their files hold other people's secrets, so no other user of the machine may
 * read them. Agents of root run replicas as other users, whose working directories are below: these users may
 * pass through a data folder, and see nothing on the way.
 */
import { chmodSync, mkdirSync } from "node:fs";
import { resolve } from "node:path";

export const OWNER_ONLY_FILE = 0o600;
export const OWNER_ONLY_FOLDER = 0o700;
const PASSAGE = 0o711;

/** Of a folder on the way to the working directories of replicas. */
export const dataFolderMode = (): number =>
  process.getuid?.() === 0 ? PASSAGE : OWNER_ONLY_FOLDER;

/** Folders that are there already stay as they are: they may be anybody's (close-to-others.ts). */
export function makeDataFolder(folder: string): void {
  // Told absolutely: the answer is the outermost folder that was made.
  const path = resolve(folder);
  const outermost = mkdirSync(path, { recursive: true, mode: OWNER_ONLY_FOLDER });
  if (outermost === undefined || dataFolderMode() === OWNER_ONLY_FOLDER) return;
  // The umask of the process has taken the right to pass away.
  for (let made = path; made.startsWith(outermost); made = resolve(made, "..")) {
    chmodSync(made, dataFolderMode());
  }
}
