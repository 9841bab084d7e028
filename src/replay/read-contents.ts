/** A large value that a recording keeps in a file of its own: the state of a chapter's beginning, or what a claim has read. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { readClaimCopy } from "../host/recording/claim-copy.ts";
import { COPY_SUFFIX } from "../host/recording/entry.ts";
import { RecordingUnreadable } from "./recording-unreadable.ts";

export function readContents(folder: string, name: string): unknown {
  const file = path.join(folder, name);
  if (!existsSync(file)) {
    throw new RecordingUnreadable(
      `Cannot replay: ${file} is missing. It belongs to the recording: copy the whole folder. A plane that was killed while it wrote it leaves none.`,
    );
  }
  return file.endsWith(COPY_SUFFIX) ? readClaimCopy(file) : JSON.parse(readFileSync(file, "utf8"));
}
