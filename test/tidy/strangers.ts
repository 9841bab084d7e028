/** A checkout stands on its own: nothing in it points at one machine, one registry or a folder beside it. */
import { type Finding, lineOf, type SourceFile } from "./source-file.ts";

const FOLDER_OUTSIDE =
  /(?:\.\.\/)+shared\/|(?<![\w.:/-])\/(?:[\w.-]+\/)*shared\/|(?<![\w./-])shared\//g;
const REGISTRY_HOST =
  /\bregistry\.(?:npmjs|yarnpkg|npmmirror)\.\w+|^\s*(?:@[\w-]+:)?registry\s*=.*/gm;
const RESOLVED_HOST = /"resolved":\s*"\w[\w+]*:\/\/[^"]*"/g;

/** `ownPaths` are absolute paths of the machine the test runs on, such as the checkout's root. */
export function findStrangers(
  files: readonly SourceFile[],
  ownPaths: readonly string[],
): Finding[] {
  return files.flatMap((file) => [
    ...matches(file, FOLDER_OUTSIDE, "a folder outside the repository"),
    ...matches(file, REGISTRY_HOST, "a package registry"),
    ...matches(file, RESOLVED_HOST, "the host a package came from"),
    ...ownPaths.flatMap((path) => matches(file, wholePath(path), "a path of this machine")),
  ]);
}

function matches({ path, text }: SourceFile, pattern: RegExp, what: string): Finding[] {
  return [...text.matchAll(pattern)].map(
    (match) =>
      `${path}:${lineOf(text, match.index)} names ${what} ("${match[0].trim()}"): remove it.`,
  );
}

function wholePath(path: string): RegExp {
  return new RegExp(`(?<![\\w.-])${path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\w-])`, "g");
}
