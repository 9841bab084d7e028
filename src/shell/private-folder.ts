/**
 * The modes of what planes and agents write: their files hold other people's secrets, so no other
 * user of the machine may read them. Agents of root run replicas as other users, whose working
 * directories are below: these users may pass through a data folder, and see nothing on the way.
 */
import { chmodSync, mkdirSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { CannotRunError } from "./cannot-run-error.ts";

export const OWNER_ONLY_FILE = 0o600;
export const OWNER_ONLY_FOLDER = 0o700;
const PASSAGE = 0o711;

/** Of a folder on the way to the working directories of replicas. */
export const dataFolderMode = (): number =>
  process.getuid?.() === 0 ? PASSAGE : OWNER_ONLY_FOLDER;

/**
 * A folder that is there already keeps its mode: it may hold other things (close-to-others.ts).
 * The owner of a folder can replace the files in it, tokens and scripts among them, so the folder
 * of another user is refused. One of root is taken, because volumes are mounted like that. Root
 * takes any, because a volume in a container may belong to any user.
 */
export function makeDataFolder(folder: string, self = process.getuid?.()): void {
  // Told absolutely: the answer is the outermost folder that was made.
  const path = resolve(folder);
  const outermost = mkdirSync(path, { recursive: true, mode: OWNER_ONLY_FOLDER });
  const { uid } = statSync(path);
  if (self !== undefined && self !== 0 && uid !== self && uid !== 0) {
    throw new CannotRunError(
      `The directory ${path} belongs to another user (${uid}), who could replace any file in it. Use a directory of your own with --data.`,
    );
  }
  if (outermost === undefined || dataFolderMode() === OWNER_ONLY_FOLDER) return;
  // The umask of the process has taken the right to pass away.
  for (let made = path; made.startsWith(outermost); made = resolve(made, "..")) {
    chmodSync(made, dataFolderMode());
  }
}
