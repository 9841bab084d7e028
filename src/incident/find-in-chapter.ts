/** The turns of a whole chapter in which words are found, whatever part of it is shown. */
import type { IncidentDocument } from "./incident-document.ts";

export interface FoundTurn {
  /** Names the turn in a link: its moment, and which one of that moment it is. */
  readonly turn: string;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly component: string;
  readonly what: string;
  readonly text: string;
  /** A revision that controllers were shown at that time; left out: none yet. */
  readonly near?: number;
}

export interface FoundTurns {
  /** How many turns the chapter has. */
  readonly turns: number;
  /** In how many the words are. */
  readonly count: number;
  /** The newest of them, newest first. */
  readonly found: readonly FoundTurn[];
}

/** More than a person reads; other words find less. */
const SHOWN = 200;

/** Every word has to be there; case does not matter. */
export function findInChapter(document: IncidentDocument, words: string): FoundTurns {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const { lanes, turns, source } = document;
  const found: FoundTurn[] = [];
  let near: number | undefined;
  let first = 0;
  for (const [at, turn] of turns.entries()) {
    const { atMs, lane, what, text, key = "", revision } = turn;
    const { name = "", kind } = lanes[lane] ?? {};
    if (turns[first]?.atMs !== atMs) first = at;
    if (kind === "controller" && what === "see") near = revision ?? near;
    const said = `${text} ${key} ${name} ${what}`.toLowerCase();
    if (!wanted.every((word) => said.includes(word))) continue;
    const sinceMs = (source.epochMs ?? 0) + atMs;
    found.push({
      turn: `${sinceMs}.${at - first}`,
      atMs: sinceMs,
      component: name,
      what,
      text,
      ...(near === undefined ? {} : { near }),
    });
  }
  return { turns: turns.length, count: found.length, found: found.slice(-SHOWN).toReversed() };
}
