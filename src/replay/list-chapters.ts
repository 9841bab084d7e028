/**
 * What chapters a recording has, told from the beginning and the end of each file: a chapter may be
 * 64 MiB long, and listing must not read all of it.
 */
import { open, readdir, stat } from "node:fs/promises";
import path from "node:path";
import type { Revision } from "../core/model/ids.ts";
import { readStart, type StartRead } from "./read-start.ts";

export interface ListedChapter {
  readonly number: number;
  readonly plane: string | undefined;
  /** Milliseconds since 1970, on the plane's clock; undefined for a chapter without a turn. */
  readonly fromMs: number | undefined;
  readonly untilMs: number | undefined;
  /** Of what its controllers were shown. */
  readonly firstRevision: Revision | undefined;
  readonly lastRevision: Revision | undefined;
  /** With the states that it names. */
  readonly bytes: number;
  /** Why it cannot be replayed; undefined when it can. */
  readonly obstacle: string | undefined;
}

/** A busy plane writes as much in a second: every component has a turn in it. */
const END_BYTES = 256 * 2 ** 10;
const CONTENTS = /\b[0-9a-f]{32}\.(?:json|claim)\b/g;

export async function listChapters(folder: string): Promise<readonly ListedChapter[]> {
  const names = await readdir(folder).catch(() => []);
  const chapters = names.flatMap((name) => {
    const number = /^chapter-(\d+)\.jsonl$/.exec(name)?.[1];
    return number === undefined ? [] : [{ name, number: Number(number) }];
  });
  const sorted = chapters.toSorted((a, b) => a.number - b.number);
  const listed = await Promise.all(sorted.map((each) => listChapter(folder, each)));
  // The plane may have dropped the oldest meanwhile.
  return listed.flatMap((each) => each ?? []);
}

async function listChapter(
  folder: string,
  { name, number }: { readonly name: string; readonly number: number },
): Promise<ListedChapter | undefined> {
  const ends = await readEnds(path.join(folder, name)).catch(() => undefined);
  if (ends === undefined) return undefined;
  const { head, tail, bytes } = ends;
  const read = readStart(head.slice(0, head.indexOf("\n")));
  const contents = [...new Set(head.match(CONTENTS))];
  const sizes = await Promise.all(contents.map((each) => sizeOf(path.join(folder, each))));
  const missing = contents.filter((_, at) => sizes[at] === undefined);
  const first = turnsIn(head);
  const last = turnsIn(tail);
  return {
    number,
    plane: read.start?.plane,
    fromMs: first.atMs[0],
    untilMs: last.atMs.at(-1) ?? first.atMs.at(-1),
    firstRevision: first.revisions[0],
    lastRevision: last.revisions.at(-1) ?? first.revisions.at(-1),
    bytes: sizes.reduce((sum: number, size) => sum + (size ?? 0), bytes),
    obstacle: obstacleOf(read, missing),
  };
}

function obstacleOf({ why }: StartRead, missing: readonly string[]): string | undefined {
  if (why !== undefined) return `${why.charAt(0).toUpperCase()}${why.slice(1)}.`;
  const [first] = missing;
  if (first === undefined) return undefined;
  return `The state ${first} that it begins with is not there: it is still being written, or was lost.`;
}

/** Times and revisions of the whole lines in a piece of a chapter, in their order. */
function turnsIn(text: string): {
  readonly atMs: readonly number[];
  readonly revisions: readonly Revision[];
} {
  const atMs: number[] = [];
  const revisions: Revision[] = [];
  for (const line of text.split("\n")) {
    const found = /^\["[^"]*",(\d+),\{"kind":"(\w+)"(.*)\]$/.exec(line);
    if (found === null) continue;
    const [, time, kind, rest = ""] = found;
    atMs.push(Number(time));
    const revision =
      kind === "listed"
        ? /^,"revision":(\d+)/.exec(rest)?.[1]
        : kind === "watch"
          ? /"to":(\d+)/.exec(rest)?.[1]
          : undefined;
    if (revision !== undefined) revisions.push(Number(revision));
  }
  return { atMs, revisions };
}

async function readEnds(
  file: string,
): Promise<{ readonly head: string; readonly tail: string; readonly bytes: number }> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const piece = async (from: number): Promise<string> => {
      const buffer = Buffer.alloc(Math.min(END_BYTES, size - from));
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, from);
      return buffer.toString("utf8", 0, bytesRead);
    };
    return { head: await piece(0), tail: await piece(Math.max(0, size - END_BYTES)), bytes: size };
  } finally {
    await handle.close();
  }
}

const sizeOf = (file: string): Promise<number | undefined> =>
  stat(file).then(
    ({ size }) => size,
    () => undefined,
  );
