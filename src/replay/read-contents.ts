/**
 * A large value that a recording keeps in a file of its own: the state of a chapter's beginning, or
 * what a claim has read.
 */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { migrated } from "../host/formats.ts";
import { readClaimCopy } from "../host/recording/claim-copy.ts";
import { COPY_SUFFIX } from "../host/recording/entry.ts";
import { RecordingUnreadable } from "./recording-unreadable.ts";

/**
 * `format` is that of the contents of the chapter that names the file; a copy of the log says its
 * own.
 */
export function readContents(folder: string, name: string, format: number): unknown {
  const file = path.join(folder, name);
  if (!existsSync(file)) {
    throw new RecordingUnreadable(
      `Cannot replay: ${file} is missing. It belongs to the recording: copy the whole folder. A plane that was killed while it wrote it leaves none.`,
    );
  }
  if (file.endsWith(COPY_SUFFIX)) return readClaimCopy(file);
  return migrated(JSON.parse(readFileSync(file, "utf8")), "contents", format);
}
