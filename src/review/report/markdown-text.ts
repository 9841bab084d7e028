/** Text of others inside Markdown: shown as it is, and never obeyed. */
import { shown } from "./shown-text.ts";

const MARKUP = /[\\`*_[\]<>|~&$!]/g;
/** A list, a heading or a quotation inside a list item. */
const START = /^([-+=]|#{1,6}(?= |$)|\d+(?=[.)]))/;
/** Mentions and numbers of issues: GitHub finds them after it has read the escapes. */
const REFERENCE = /([@#])(?=[\p{L}\p{N}])/gu;
/** Addresses that become links by themselves. */
const ADDRESS = /(:)(?=\/\/)|(www)(?=\.)/gi;

/** Between a sign and its name, so that the two are no reference. */
const NOTHING = "<!-- -->";

export function markdownText(text: string): string {
  return shown(text)
    .replaceAll(MARKUP, (letter) => `\\${letter}`)
    .replace(START, startEscaped)
    .replaceAll(REFERENCE, `$1${NOTHING}`)
    .replaceAll(ADDRESS, `$1$2${NOTHING}`);
}

const startEscaped = (start: string): string =>
  /^\d/.test(start) ? `${start}${NOTHING}` : `\\${start}`;

/** For commands and paths: the fence is longer than any run of backticks in it. */
export function codeSpan(text: string): string {
  const safe = shown(text);
  const runs = [...safe.matchAll(/`+/g)].map(([run]) => run.length);
  const fence = "`".repeat(Math.max(0, ...runs) + 1);
  const gap = safe.startsWith("`") || safe.endsWith("`") || safe === "" ? " " : "";
  return `${fence}${gap}${safe}${gap}${fence}`;
}
