/** Ways to make a check pass without meeting it. */
import { codeOnly, commentsOnly } from "./blank.ts";
import { type Finding, isScript, lineOf, type SourceFile } from "./source-file.ts";

interface Shortcut {
  readonly pattern: RegExp;
  readonly where: (source: string) => string;
  readonly why: string;
}

const SHORTCUTS: readonly Shortcut[] = [
  {
    pattern: /\b(?:it|test|describe|suite)(?:\.\w+)*\.(?:skip|only|todo)\b/g,
    where: codeOnly,
    why: "a test that does not run proves nothing: finish it or delete it",
  },
  {
    pattern: /\bas\s+any\b|<any>/g,
    where: codeOnly,
    why: "the compiler stops looking here: use unknown and narrow it",
  },
  {
    pattern: /@ts-(?:ignore|nocheck)\b/g,
    where: commentsOnly,
    why: "the compiler stops looking here: correct the types",
  },
  {
    pattern: /\/\/\/\s*<reference\b/g,
    where: commentsOnly,
    why: "it lets in types that the folder's tsconfig.json keeps out: change that file instead",
  },
];

export function findShortcuts(files: readonly SourceFile[]): Finding[] {
  return files.filter((file) => isScript(file.path)).flatMap(shortcutsIn);
}

function shortcutsIn({ path, text }: SourceFile): Finding[] {
  return SHORTCUTS.flatMap(({ pattern, where, why }) =>
    [...where(text).matchAll(pattern)].map(
      (match) => `${path}:${lineOf(text, match.index)} has \`${match[0]}\`: ${why}.`,
    ),
  );
}
