/**
 * Makes an empty file that no other user can read, where there is none: what makes it first decides
 * on its rights.
 */
import { closeSync, openSync } from "node:fs";
import { OWNER_ONLY_FILE } from "../../shell/private-folder.ts";

export function makePrivate(file: string): void {
  try {
    closeSync(openSync(file, "a", OWNER_ONLY_FILE));
  } catch {
    // SQLite meets the same obstacle in a moment, and its error is explained.
  }
}
