/**
 * Which turns are shown: those of lanes that are not hidden, about one object or all, with the
 * words that are sought.
 */
import type { LaneKind } from "../../../../src/incident/incident-document.ts";
import type { IncidentIndex } from "./incident-index.ts";

export interface TurnChoice {
  readonly hidden: ReadonlySet<LaneKind>;
  /** Only what is about this object. */
  readonly about: string | undefined;
}

/** In order. */
export function chooseTurns(index: IncidentIndex, { hidden, about }: TurnChoice): Int32Array {
  const { lanes, turns } = index.document;
  const chosen: number[] = [];
  for (const [at, { lane }] of turns.entries()) {
    const kind = lanes[lane]?.kind;
    if (kind !== undefined && hidden.has(kind)) continue;
    if (about === undefined || isAbout(index, at, about)) chosen.push(at);
  }
  return Int32Array.from(chosen);
}

/**
 * It names the object, says something of it, or commits a change to it; a violation is always
 * shown.
 */
export function isAbout(index: IncidentIndex, turn: number, key: string): boolean {
  const here = index.document.turns[turn];
  if (!here) return false;
  if (here.key === key || here.what === "violate") return true;
  return names(here.text, key) || isChangedBy(index, turn, key);
}

const isChangedBy = ({ commitsOf }: IncidentIndex, turn: number, key: string): boolean =>
  (commitsOf.get(turn) ?? []).some(({ changes }) => changes.some((each) => each.key === key));

/** The key as a whole word: w1.1 is not said where w1.10 is. */
function names(text: string, key: string): boolean {
  for (let at = text.indexOf(key); at >= 0; at = text.indexOf(key, at + 1)) {
    if (
      !/[\w.-]/.test(text[at + key.length] ?? " ") ||
      /^[.](?:\s|$)/.test(text.slice(at + key.length))
    ) {
      return true;
    }
  }
  return false;
}

/** Of those given, the ones in which every word is found; case does not matter. */
export function findTurns(index: IncidentIndex, among: Int32Array, words: string): Int32Array {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return among;
  const { lanes, turns } = index.document;
  return among.filter((at) => {
    const { text = "", key = "", lane = -1, what = "" } = turns[at] ?? {};
    const said = `${text} ${key} ${lanes[lane]?.name ?? ""} ${what}`.toLowerCase();
    return wanted.every((word) => said.includes(word));
  });
}
