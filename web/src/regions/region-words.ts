/** What the state of a region means, in the words that an operator needs during an outage. */
import type { RegionStanding, RegionStandings } from "../../../src/api/regions/region-standing.ts";
import { ageText } from "../parts/age-text.ts";
import type { Tone } from "../parts/stage-tone.ts";

export interface StateWord {
  readonly word: string;
  readonly mark: string;
  readonly tone: Tone;
}

const WORDS: Readonly<Record<RegionStanding["state"], StateWord>> = {
  "in-contact": { word: "in contact", mark: "✓", tone: "good" },
  "cut-off": { word: "cut off", mark: "!", tone: "wait" },
  "repairs-only": { word: "cut off, repairs only", mark: "✗", tone: "bad" },
  learning: { word: "restored, learning", mark: "…", tone: "wait" },
  "never-heard": { word: "never heard", mark: "?", tone: "off" },
  gone: { word: "gone", mark: "✗", tone: "off" },
};

export const stateWord = ({ state }: RegionStanding): StateWord => WORDS[state];

/** What the region may do now, and until when. */
export function mayText(
  region: RegionStanding,
  role: RegionStandings["role"],
  nowMs: number,
): string {
  const { state, newWorkUntilMs, heardMs } = region;
  const leftMs = (newWorkUntilMs ?? nowMs) - nowMs;
  const other = role === "regional" ? "The global plane has" : "It has";
  const silent = heardMs === undefined ? "" : ` for ${ageText(nowMs - heardMs)}`;
  switch (state) {
    case "in-contact":
      return `Takes new work. If the link broke now, for ${ageText(leftMs)} more.`;
    case "cut-off":
      return `${other} not answered${silent}. Takes new work for ${ageText(leftMs)} more, then only replaces what it loses.`;
    case "repairs-only":
      return `${other} not answered${silent}. Running work goes on, lost replicas are replaced, new work waits.`;
    case "learning":
      return "Restored from a backup: takes new work once its agents have said what they run.";
    case "never-heard":
      return "Its plane has not reported yet: look at the log of that plane.";
    case "gone":
      return "A person stated that it is gone. What it was lent is free.";
  }
}

/** In one line: who is cut off, else who was never heard, else that all is well. */
export function sumText(regions: readonly RegionStanding[]): string {
  const named = (states: readonly RegionStanding["state"][]): readonly string[] =>
    regions.filter(({ state }) => states.includes(state)).map(({ name }) => name);
  const out = named(["cut-off", "repairs-only"]);
  const never = named(["never-heard"]);
  if (out.length > 0) {
    return `${out.length} of ${regions.length} regions cut off: ${out.join(", ")}.`;
  }
  return never.length === 0
    ? "No region is cut off."
    : `No region is cut off; never heard: ${never.join(", ")}.`;
}
