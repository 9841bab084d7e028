/**
 * Runs a recording again with today's code: the same components, given the same inputs in the same
 * order at the same times. Where a turn does something else than it did, the two have diverged, and
 * the first such turn is the one to look at.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import {
  encodeOutlines,
  type EffectOutline,
  outlinesOf,
} from "../host/recording/effect-outline.ts";
import type { ChapterStart, Entry } from "../host/recording/entry.ts";
import { compareEffects, type EffectPair, type LaterInput } from "./compare-effects.ts";
import { effectDigest } from "./effect-digest.ts";
import type { Effect, RecordedKeys } from "./recorded-keys.ts";
import { readStart } from "./read-start.ts";
import { RecordingUnreadable } from "./recording-unreadable.ts";
import { type Played, Stage } from "./stage.ts";

export interface Divergence {
  readonly chapter: string;
  readonly turn: number;
  readonly component: string;
  readonly input: string;
  /** Both in one line. */
  readonly expected: string;
  readonly got: string;
  /** Every effect that differs, field by field; empty where the turn could not be played at all. */
  readonly effects: readonly EffectPair[];
}

export interface ReplayReport {
  readonly turns: number;
  readonly diverged: boolean;
  readonly firstDivergence: Divergence | null;
}

export function replayRecording(
  folder: string,
  untilTurn = Number.POSITIVE_INFINITY,
): ReplayReport {
  const chapters = chaptersIn(folder);
  let turns = 0;
  for (const chapter of chapters) {
    const report = replayChapter(folder, chapter, untilTurn - turns);
    turns += report.turns;
    if (report.diverged) return { ...report, turns };
    if (turns >= untilTurn) break;
  }
  return { turns, diverged: false, firstDivergence: null };
}

/** The names of the files, oldest first. */
export function chaptersIn(folder: string): readonly string[] {
  const chapters = readdirSync(folder)
    .filter((name) => /^chapter-\d+\.jsonl$/.test(name))
    .toSorted();
  if (chapters.length > 0) return chapters;
  throw new RecordingUnreadable(
    `Cannot replay ${folder}: it has no chapter-*.jsonl. Name the folder that --record wrote; a plane that never led has recorded nothing.`,
  );
}

export interface PlayOptions {
  readonly untilTurn?: number;
  /** Told before a turn is taken. */
  readonly before?: (turn: number) => void;
  /** Told of what came of it, before that is compared with what was recorded. */
  readonly after?: (
    turn: { readonly turn: number; readonly component: string; readonly atMs: number },
    played: Played,
  ) => void;
}

function replayChapter(folder: string, chapter: string, untilTurn: number): ReplayReport {
  return playChapter(openChapter(folder, chapter), { untilTurn });
}

/** A chapter that can be played once. */
export interface OpenChapter {
  readonly name: string;
  readonly start: ChapterStart;
  readonly stage: Stage;
  readonly lines: readonly string[];
}

export function openChapter(folder: string, name: string): OpenChapter {
  const [first = "", ...lines] = readFileSync(path.join(folder, name), "utf8").split("\n");
  const { start, why } = readStart(first);
  if (why !== undefined) throw new RecordingUnreadable(`Cannot replay ${name}: ${why}.`);
  return { name, start, stage: new Stage(folder, start), lines };
}

export function playChapter(
  { name: chapter, stage, lines }: OpenChapter,
  { untilTurn = Number.POSITIVE_INFINITY, before, after }: PlayOptions = {},
): ReplayReport {
  let turns = 0;
  for (const line of lines) {
    if (turns >= untilTurn) break;
    const entry = readEntry(line);
    // A plane that was killed leaves half a line behind; the turn it belongs to had no effect.
    if (entry === undefined) break;
    turns += 1;
    const [component, atMs, input, recorded] = entry;
    before?.(turns);
    const played = stage.play(component, atMs, input);
    if (typeof played !== "string") after?.({ turn: turns, component, atMs }, played);
    if (typeof played !== "string" && isAsRecorded(recorded, stage.keys.recorded(played.effects)))
      continue;
    const where = { chapter, turn: turns, component, input: input.kind };
    const later = laterInputs(stage, lines.slice(turns));
    const found = {
      ...where,
      ...differenceOf({ component, recorded, played, later, keys: stage.keys }),
    };
    return { turns, diverged: true, firstDivergence: found };
  }
  return { turns, diverged: false, firstDivergence: null };
}

type Recorded = Entry[3];

function isAsRecorded(recorded: Recorded, effects: readonly Effect[]): boolean {
  if (typeof recorded === "number") return effectDigest(effects) === recorded;
  return encodeOutlines(effects) === JSON.stringify(recorded);
}

function differenceOf(turn: {
  readonly component: string;
  readonly recorded: Recorded;
  readonly played: Played | string;
  readonly later: Iterable<LaterInput>;
  readonly keys: RecordedKeys;
}): Pick<Divergence, "expected" | "got" | "effects"> {
  const { component, recorded, played, later, keys } = turn;
  const outlines = typeof recorded === "number" ? undefined : keys.today(recorded);
  const expected =
    outlines === undefined
      ? `effects with digest ${recorded as number}; the recording keeps no more of them`
      : inOneLine(outlines);
  if (typeof played === "string") return { expected, got: played, effects: [] };
  const got = keys.today(outlinesOf(keys.recorded(played.effects)));
  const compared = { component, expected: outlines, outlines: got, got: played.effects, later };
  return { expected, got: inOneLine(got), effects: compareEffects(compared) };
}

const inOneLine = (outlines: readonly EffectOutline[]): string =>
  outlines.length === 0 ? "no effect" : outlines.map(({ kind }) => kind).join(", ");

function* laterInputs(stage: Stage, lines: readonly string[]): Generator<LaterInput> {
  for (const line of lines) {
    const entry = readEntry(line);
    if (entry !== undefined) yield [entry[0], stage.inputOf(entry[2])];
  }
}

export function readEntry(line: string): Entry | undefined {
  if (!line.endsWith("]")) return undefined;
  try {
    return JSON.parse(line) as Entry;
  } catch {
    return undefined;
  }
}
