/** A file is named after its one main export, so that a reader finds it without a search. */
import { type Finding, isScript, type SourceFile } from "./source-file.ts";

/** Names that say where something was put, not what it is: whatever has no home ends up under them. */
const JUNK_DRAWERS = new Set([
  "util",
  "utils",
  "helper",
  "helpers",
  "manager",
  "managers",
  "common",
  "info",
  "data",
  "misc",
]);

const KEBAB_CASE = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

export function findBadNames(files: readonly SourceFile[]): Finding[] {
  return files.filter((file) => isScript(file.path)).flatMap(({ path }) => badNamesIn(path));
}

function badNamesIn(path: string): Finding[] {
  return path.split("/").flatMap((segment, depth, segments) => {
    const stem = segment.replace(/^\./, "").split(".")[0] ?? "";
    const isFile = depth === segments.length - 1;
    if (isFile && stem === "index") {
      return [`${path} is a barrel or hides its name: name the file after its main export.`];
    }
    if (!KEBAB_CASE.test(stem)) return [`${path}: "${segment}" is not kebab-case.`];
    const lastWord = stem.split("-").at(-1) ?? stem;
    return JUNK_DRAWERS.has(lastWord)
      ? [`${path}: "${segment}" is a junk drawer: say what is in it instead.`]
      : [];
  });
}
