/** The first line of a chapter, or why this build cannot replay what follows it. */
import { FORMATS, whyUnread } from "../host/formats.ts";
import type { ChapterStart } from "../host/recording/entry.ts";

export type StartRead =
  | { readonly start: ChapterStart; readonly why?: undefined }
  /** The end of a sentence that names the chapter. */
  | { readonly start?: undefined; readonly why: string };

export function readStart(line: string): StartRead {
  let start: Partial<ChapterStart> = {};
  try {
    start = JSON.parse(line) as Partial<ChapterStart>;
  } catch {
    // An empty or cut first line says as little as a foreign one.
  }
  const format: unknown = start.berthRecording;
  if (format === undefined) {
    return { why: "its first line is not the start of a recording. Remove the file" };
  }
  const why = whyUnread(FORMATS.recording, format);
  return why === undefined ? { start: start as ChapterStart } : { why };
}
