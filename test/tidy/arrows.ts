/** Which folder may import which: everything may use core, core uses nothing, the simulator uses only core. */
import { posix } from "node:path";
import { codeOnly, withoutComments } from "./blank.ts";
import { isPure } from "./purity.ts";
import { type Finding, lineOf, type SourceFile } from "./source-file.ts";

/** For the folder in front, the folders its files may import from. */
const ALLOWED: readonly (readonly [string, readonly string[]])[] = [
  ["src/core/", ["src/core/"]],
  ["src/sim/", ["src/core/", "src/sim/"]],
];

export function findForbiddenImports(files: readonly SourceFile[]): Finding[] {
  return files.filter((file) => isPure(file.path)).flatMap(forbiddenImportsOf);
}

function forbiddenImportsOf(file: SourceFile): Finding[] {
  const rule = ALLOWED.find(([folder]) => file.path.startsWith(folder));
  if (!rule) return [];
  const [folder, targets] = rule;
  return importsOf(file.text).flatMap(({ specifier, line }) => {
    const target = specifier.startsWith(".")
      ? posix.join(posix.dirname(file.path), specifier)
      : specifier;
    if (targets.some((allowed) => target.startsWith(allowed))) return [];
    return [
      `${file.path}:${line} imports "${specifier}": ${folder} may import only from ${targets.join(" and ")}.`,
    ];
  });
}

/** Static and dynamic imports and re-exports, wherever the specifier is a literal. */
function importsOf(text: string): { specifier: string; line: number }[] {
  const source = withoutComments(text);
  const code = codeOnly(text);
  const opening = /\b(?:from|import)\s*\(?\s*["']/g;
  return [...code.matchAll(opening)].map((match) => {
    const start = match.index + match[0].length;
    const quote = source.charAt(start - 1);
    return {
      specifier: source.slice(start, source.indexOf(quote, start)),
      line: lineOf(code, start),
    };
  });
}
