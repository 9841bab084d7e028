/** A file that has grown past its limit holds a second idea that wants a file of its own. */
import { type Finding, isScript, isTest, type SourceFile } from "./source-file.ts";

/** Enough for one idea with its reasons; tests get more, because tables of cases are long and simple. */
const SOURCE_LINES = 400;
const TEST_LINES = 600;

export function findLongFiles(files: readonly SourceFile[]): Finding[] {
  return files
    .filter((file) => isScript(file.path))
    .flatMap(({ path, text }) => {
      const lines = text.replace(/\n$/, "").split("\n").length;
      const limit = isTest(path) ? TEST_LINES : SOURCE_LINES;
      return lines <= limit
        ? []
        : [`${path} has ${lines} lines and may have ${limit}: look for the second idea in it.`];
    });
}
