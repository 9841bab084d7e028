/** An export that no code uses is dead: it is read, kept and refactored for no one. */
import { codeOnly } from "./blank.ts";
import { type Finding, isScript, isTest, lineOf, type SourceFile } from "./source-file.ts";

const EXPORT =
  /^export (?:declare |async |abstract )*(?:const|let|function\*?|class|interface|type) ([\w$]+)/gm;

export function findDeadExports(files: readonly SourceFile[]): Finding[] {
  const scripts = files.filter(({ path }) => isScript(path));
  const counts = new Map<string, number>();
  for (const { text } of scripts) {
    for (const [word] of text.matchAll(/[\w$]+/g)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return scripts
    .filter(({ path }) => /^(?:src|bench|web\/src)\//.test(path) && !isTest(path))
    .flatMap(({ path, text }) =>
      [...codeOnly(text).matchAll(EXPORT)].flatMap(({ 1: name = "", index }) =>
        // A word that stands once in all scripts stands only where it is exported.
        (counts.get(name) ?? 0) > 1
          ? []
          : [`${path}:${lineOf(text, index)} exports ${name}, which nothing uses: delete it.`],
      ),
    );
}
