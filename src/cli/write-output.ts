/**
 * Writes a file the user asked for, so that a wrong path is a mistake to correct and not a stack
 * trace.
 */
import { writeFileSync } from "node:fs";
import { OWNER_ONLY_FILE } from "../shell/private-folder.ts";
import { UserError } from "../shell/errors.ts";

export function writeOutput(file: string, text: string): void {
  try {
    writeFileSync(file, text, { mode: OWNER_ONLY_FILE });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError("unwritable-file", `${reason}.`, { file });
  }
}
