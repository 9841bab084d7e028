/** The words and the order in which promises are told. */
import type { ShownPromise } from "../../../src/api/views/shown-promises.ts";
import { counted } from "../parts/counted.ts";
import type { Tone } from "../parts/stage-tone.ts";

interface VerdictWord {
  readonly word: string;
  readonly mark: string;
  readonly tone: Tone;
}

/** The mark says the same as the colour, for readers who do not see it. */
const WORDS: Readonly<Record<string, VerdictWord>> = {
  breached: { word: "breached", mark: "▲", tone: "bad" },
  "not-shown": { word: "not shown", mark: "◇", tone: "wait" },
  unchecked: { word: "being checked", mark: "…", tone: "off" },
  holds: { word: "holds", mark: "✓", tone: "good" },
};

export const verdictWord = (verdict: string): VerdictWord =>
  WORDS[verdict] ?? { word: verdict, mark: "", tone: "off" };

const ORDER = Object.keys(WORDS);

const rankOf = ({ verdict }: ShownPromise): number => ORDER.indexOf(verdict);
const nameOf = ({ namespace, name }: ShownPromise): string => `${namespace}/${name}`;

/** What is broken comes first. */
export const inOrder = (promises: readonly ShownPromise[]): readonly ShownPromise[] =>
  promises.toSorted((a, b) => rankOf(a) - rankOf(b) || (nameOf(a) < nameOf(b) ? -1 : 1));

/** e.g. "4 promises: 1 breached, 1 not shown, 2 held." */
export function countsText(promises: readonly ShownPromise[]): string {
  const count = (verdict: string): number =>
    promises.filter((each) => each.verdict === verdict).length;
  const parts = [
    [count("breached"), "breached"],
    [count("not-shown"), "not shown"],
    [count("unchecked"), "being checked"],
  ] as const;
  const held = count("holds");
  const told = parts.flatMap(([some, word]) => (some === 0 ? [] : [`${some} ${word}`]));
  if (told.length === 0) return `${counted(promises.length, "promise")}: all hold.`;
  const kept = held === 0 ? [] : [`${held} held`];
  return `${counted(promises.length, "promise")}: ${[...told, ...kept].join(", ")}.`;
}
