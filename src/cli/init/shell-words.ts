/** A command line as words, as a shell splits it; without variables, globs or operators. */
import { UserError } from "../../shell/errors.ts";

export function shellWords(text: string): readonly string[] {
  const words: string[] = [];
  const piece = /\s+|'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\]+)/gy;
  let word: string | undefined;
  let at = 0;
  for (const match of text.matchAll(piece)) {
    at = match.index + match[0].length;
    const [whole, single, double, escaped, plain] = match;
    if (/^\s/.test(whole)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word =
        (word ?? "") + (single ?? double?.replaceAll(/\\(.)/g, "$1") ?? escaped ?? plain ?? "");
    }
  }
  if (at !== text.length) {
    throw new UserError("bad-usage", `The command has a quote without its end: ${text}`);
  }
  if (word !== undefined) words.push(word);
  return words;
}
