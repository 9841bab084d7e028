/**
 * Runs a recording again with today's code: the same components, given the same inputs in the same order at
 * the same times. Where a turn does something else than it did, the two have diverged, and the first such
 * turn is the one to look at.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { effectDigest } from "../host/recording/effect-digest.ts";
import { type ChapterStart, type Entry, FORMATS_READ } from "../host/recording/entry.ts";
import { RecordingUnreadable } from "./recording-unreadable.ts";
import { type Played, Stage } from "./stage.ts";

export interface Divergence {
  readonly chapter: string;
  readonly turn: number;
  readonly component: string;
  readonly input: string;
  readonly expected: string;
  readonly got: string;
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
  const start = readStart(first, name);
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
    const [component, atMs, input, digest] = entry;
    before?.(turns);
    const played = stage.play(component, atMs, input);
    if (typeof played !== "string") after?.({ turn: turns, component, atMs }, played);
    const got = typeof played === "string" ? played : effectDigest(played.effects);
    if (got === digest) continue;
    const expected = `effects with digest ${digest}`;
    const found = typeof got === "number" ? `effects with digest ${got}` : got;
    const where = { chapter, turn: turns, component, input: input.kind, expected, got: found };
    return { turns, diverged: true, firstDivergence: where };
  }
  return { turns, diverged: false, firstDivergence: null };
}

function readStart(line: string, chapter: string): ChapterStart {
  let start: Partial<ChapterStart> = {};
  try {
    start = JSON.parse(line) as Partial<ChapterStart>;
  } catch {
    // Falls through to the sentence below: an empty or cut first line says as little as a foreign one.
  }
  if (FORMATS_READ.includes(start.berthRecording ?? 0)) return start as ChapterStart;
  throw new RecordingUnreadable(
    `Cannot replay ${chapter}: its first line is not the start of a recording of format ${FORMATS_READ.join(" or ")}. ` +
      "Use the version of berth that wrote it, or remove the file.",
  );
}

export function readEntry(line: string): Entry | undefined {
  if (!line.endsWith("]")) return undefined;
  try {
    return JSON.parse(line) as Entry;
  } catch {
    return undefined;
  }
}
