/**
 * A turn as a word of a link. In a simulation its number is enough: the same command makes the same
 * document. A part of a recording that still grows begins elsewhere every time, so there a turn is
 * named by its moment, and by which one of that moment it is.
 */
import type { IncidentDocument } from "../../../src/incident/incident-document.ts";

type Timed = Pick<IncidentDocument, "turns" | "source">;

export function turnWord({ source, turns }: Timed, turn: number): string {
  const atMs = turns[turn]?.atMs;
  if (!isRecorded(source) || atMs === undefined) return `${turn}`;
  const first = turns.findIndex((each) => each.atMs === atMs);
  return `${(source.epochMs ?? 0) + atMs}.${turn - first}`;
}

/** Undefined: the document has no such turn, or the word is none. */
export function turnOfWord({ source, turns }: Timed, word: string | null): number | undefined {
  if (word === null || !/^\d+(?:\.\d+)?$/.test(word)) return undefined;
  const [moment, which = "0"] = word.split(".");
  if (!isRecorded(source)) return Number(word.split(".")[0]);
  const atMs = Number(moment) - (source.epochMs ?? 0);
  const first = turns.findIndex((each) => each.atMs === atMs);
  const turn = first + Number(which);
  return first >= 0 && turns[turn]?.atMs === atMs ? turn : undefined;
}

const isRecorded = ({ kind, epochMs }: IncidentDocument["source"]): boolean =>
  kind === "recording" && typeof epochMs === "number";
