/**
 * Files that say where to send a token and which processes to end. A command looks for them below
 * the present directory, which other users may write to: a file of another user is not believed.
 * Root reads the files of all users, so it is told who owns a file.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

export interface OwnFile {
  readonly text: string;
  /** The user id; undefined on systems that have none. */
  readonly owner: number | undefined;
}

/** Undefined where there is none, where it is no file, and where it is another user's. */
export function readOwnFile(file: string, self = process.getuid?.()): OwnFile | undefined {
  let descriptor: number | undefined;
  try {
    // Without waiting: a pipe in its place would hold every command up.
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    // Asked of what is open: another may stand under the name by now.
    const found = fstatSync(descriptor);
    const isOwn = self === undefined || self === 0 || found.uid === self;
    if (!found.isFile() || !isOwn) return undefined;
    const owner = self === undefined ? undefined : found.uid;
    return { text: readFileSync(descriptor, "utf8"), owner };
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
