/** Reads the text of a file the user named; the caller interprets the text. */
import { readFileSync } from "node:fs";
import { UserError } from "./errors.ts";

export function readInput(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError("unreadable-file", `${reason}.`, { file });
  }
}
