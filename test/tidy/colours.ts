/** The dashboard's colours stand in one file, where each is checked in both themes; a stylesheet beside it names them. */
import { type Finding, lineOf, type SourceFile } from "./source-file.ts";

const PALETTE = "web/src/app/theme.css";
const COLOUR = /#[0-9a-f]{3,8}\b|\b(?:rgba?|hsla?|oklch|oklab|lab|lch|hwb|color)\(/gi;
/** Names of elements may look like a colour in hexadecimal: only what follows a property is one. */
const VALUE = /:[^;{}]*/g;

export function findStrayColours(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path }) => path.startsWith("web/src/") && path.endsWith(".css") && path !== PALETTE)
    .flatMap(straysIn);
}

function straysIn({ path, text }: SourceFile): Finding[] {
  return [...text.matchAll(VALUE)].flatMap((value) =>
    [...value[0].matchAll(COLOUR)].map(
      (match) =>
        `${path}:${lineOf(text, value.index + match.index)} has the colour \`${match[0]}\`: name it in ${PALETTE} for both themes.`,
    ),
  );
}
