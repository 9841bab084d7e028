/** A folder with too many files is a drawer: a reader cannot say which of them belong together. */
import { posix } from "node:path";
import { type Finding, isScript, isTest, type SourceFile } from "./source-file.ts";

/** As many names as fit on a screen. */
const MOST_FILES = 40;

export function findCrowdedFolders(files: readonly SourceFile[]): Finding[] {
  const counts = new Map<string, number>();
  for (const { path } of files) {
    if (!isScript(path) || isTest(path) || !/^(?:src|bench|web\/src)\//.test(path)) continue;
    const folder = posix.dirname(path);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > MOST_FILES)
    .map(
      ([folder, count]) =>
        `${folder} has ${count} source files and may have ${MOST_FILES}: which ideas share a room?`,
    );
}
