/**
 * Which chapters of a recording hold the time that somebody asks about, and what of that time is
 * not kept.
 */
import { listChapters, type ListedChapter } from "./list-chapters.ts";
import { RecordingUnreadable } from "./recording-unreadable.ts";

export interface ChosenChapters {
  /** The names of the files, oldest first. */
  readonly names: readonly string[];
  readonly notes: readonly string[];
}

export type ChaptersAsked = { readonly chapter: number } | { readonly lastMs: number };

export async function chooseChapters(
  folder: string,
  asked: ChaptersAsked,
): Promise<ChosenChapters> {
  const all = await listChapters(folder);
  if (all.length === 0) {
    throw new RecordingUnreadable(
      `Cannot read ${folder}: it has no chapter-*.jsonl. Name the folder that a plane's --record wrote; a plane that never led has recorded nothing.`,
    );
  }
  const chosen = "chapter" in asked ? oneOf(all, asked.chapter) : lastOf(all, asked.lastMs);
  const broken = chosen.find(({ obstacle }) => obstacle !== undefined);
  if (broken === undefined) {
    const notes = "chapter" in asked ? [] : notKept(all, asked.lastMs);
    return { names: chosen.map(nameOf), notes };
  }
  throw new RecordingUnreadable(
    `Cannot play chapter ${broken.number} of ${folder}. ${broken.obstacle ?? ""} Another can be chosen with --chapter.`,
  );
}

function oneOf(all: readonly ListedChapter[], number: number): readonly ListedChapter[] {
  const found = all.filter((each) => each.number === number);
  if (found.length > 0) return found;
  const there = all.map((each) => each.number).join(", ");
  throw new RecordingUnreadable(
    `There is no chapter ${number}: the recording has the chapters ${there}. Older ones were dropped to keep it at its size.`,
  );
}

/** A chapter is played from its beginning, so the first of them may begin long before. */
function lastOf(all: readonly ListedChapter[], lastMs: number): readonly ListedChapter[] {
  const told = all.filter(({ fromMs }) => fromMs !== undefined);
  const sinceMs = endOf(all) - lastMs;
  const since = told.filter(({ untilMs = 0 }) => untilMs >= sinceMs);
  return since.length > 0 ? since : all.slice(-1);
}

function notKept(all: readonly ListedChapter[], lastMs: number): readonly string[] {
  const [oldest] = all;
  const missingMs = (oldest?.fromMs ?? 0) - (endOf(all) - lastMs);
  if (oldest === undefined || oldest.number === 1 || missingMs <= 0) return [];
  return [`only a part of that time is kept: chapters before ${oldest.number} were dropped`];
}

const endOf = (all: readonly ListedChapter[]): number =>
  Math.max(0, ...all.map(({ untilMs = 0 }) => untilMs));

const nameOf = ({ number }: ListedChapter): string =>
  `chapter-${String(number).padStart(6, "0")}.jsonl`;
