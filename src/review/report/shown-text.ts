/** Text of others as a report shows it: on one line, without tricks, and not too long. */
import { printable } from "../../text/printable.ts";
import { REPORT_LIMITS } from "./report-limits.ts";

/** No XML may have them, and no reader sees them. */
const NONCHARACTERS = /[\uFDD0-\uFDEF\p{Noncharacter_Code_Point}]/gu;

export function shown(text: string): string {
  const most = REPORT_LIMITS.textCharacters.value;
  // Cut before it is made printable, which may make it six times as long, and after.
  const safe = printable(text.slice(0, most)).replaceAll(NONCHARACTERS, "\uFFFD").trim();
  const isCut = text.length > most || safe.length > most;
  return isCut ? `${wholeLetters(safe.slice(0, most - 1))}…` : safe;
}

/** Half a letter is none. */
const wholeLetters = (text: string): string => text.replace(/[\uD800-\uDBFF]$/, "");

export interface Some<Item> {
  readonly shown: readonly Item[];
  readonly left: number;
}

export function some<Item>(items: readonly Item[], most: number): Some<Item> {
  return { shown: items.slice(0, most), left: Math.max(0, items.length - most) };
}

/** e.g. "a, b and 3 more" */
export function namesText(names: readonly string[]): string {
  const { shown: first, left } = some(names, REPORT_LIMITS.shownPlaces.value);
  const listed = first.map(shown);
  if (left > 0) return `${listed.join(", ")} and ${left} more`;
  if (listed.length < 2) return listed.join("");
  return `${listed.slice(0, -1).join(", ")} and ${listed.at(-1)}`;
}

/** The first sentences, and one that counts the others. */
export function sentencesOf(sentences: readonly string[]): readonly string[] {
  const { shown: first, left } = some(sentences, REPORT_LIMITS.shownSentences.value);
  return left === 0 ? first : [...first, `The JSON report has ${left} more.`];
}
