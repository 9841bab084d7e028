/**
 * What processes have written, from files that are rotated under us: first what there is, or the
 * last lines of it, then, if wanted, what is added, until the process has ended.
 */
import type { BigIntStats } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { sizeOf } from "./rotate-log.ts";
import { type LogPiece, TimedLines, type TimesWanted } from "./timed-lines.ts";

/** Large enough to cost few round trips, small enough to hold one for every reader. */
const PART_BYTES = 256 * 1024;
/** Soon enough to look alive. */
const LOOK_MS = 200;
/**
 * A reader of a silent log hears nothing; an empty part tells the plane between that all is well.
 */
const SIGN_OF_LIFE_MS = 5_000;

const NEWLINE = 10;

export interface ReadLog {
  readonly files: readonly string[];
  readonly follow: boolean;
  /** Of each file; left out: all. */
  readonly tailLines: number | undefined;
  /** Only of logs that have times; left out: the lines as they are, and all of them. */
  readonly times?: TimesWanted | undefined;
  readonly isEnded: () => boolean;
  readonly signal: AbortSignal;
}

export async function* readLog(of: ReadLog): AsyncGenerator<Buffer> {
  const { signal } = of;
  const tails: Tail[] = [];
  for (const file of of.files) {
    const tail = new Tail(file, of.times);
    tails.push(tail);
    yield* tail.begin(of.tailLines);
  }
  let quietSinceMs = performance.now();
  while (of.follow && !signal.aborted) {
    // Asked before the look: it then sees everything written before the end.
    const isEnded = of.isEnded();
    let isNews = false;
    for (const tail of tails) {
      for await (const part of tail.rest()) {
        isNews = true;
        yield part;
      }
    }
    if (isEnded && !isNews) return;
    const nowMs = performance.now();
    if (isNews) quietSinceMs = nowMs;
    else if (nowMs - quietSinceMs >= SIGN_OF_LIFE_MS) {
      quietSinceMs = nowMs;
      yield Buffer.alloc(0);
    }
    await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
}

/**
 * One file and how far it was read. Its writer moves a full file to `.1` and begins another; older
 * agents and `berth up` copy it there and empty it. Which of the two happened shows by which file
 * stands where.
 */
class Tail {
  private readonly file: string;
  private readonly older: string;
  private from = 0;
  /** The file that `from` counts in; undefined until there is one. */
  private identity: string | undefined;
  /** Tells one rotation from the next: it is another file each time. */
  private copy: string | undefined;
  private wasShort = false;
  private isAfterNewline = true;
  private readonly timed: TimedLines | undefined;

  constructor(file: string, times: TimesWanted | undefined) {
    this.file = file;
    this.older = `${file}.1`;
    this.timed = times === undefined ? undefined : new TimedLines(file, times);
  }

  async *begin(lines: number | undefined): AsyncGenerator<Buffer> {
    this.copy = await fileAt(this.older);
    this.identity = await fileAt(this.file);
    const now = await lastLines(this.file, lines);
    this.from = now.at;
    const before = await lastLines(this.older, now.missing);
    if (before.at < before.size) yield* this.shown(read(this.older, before.at));
    yield* this.rest();
  }

  /** Everything after what was read so far. */
  async *rest(): AsyncGenerator<Buffer> {
    const copy = await fileAt(this.older);
    const present = await fileAt(this.file);
    const isShort = (await sizeOf(this.file)) < this.from;
    if (copy !== this.copy) {
      yield* this.shown(this.endOfOlder(copy, present));
      this.copy = copy;
      this.from = 0;
      this.identity = undefined;
    } else if (isShort && this.wasShort) {
      // Emptied or replaced, and still no copy of it: neither a writer nor an agent did that.
      this.from = 0;
      this.identity = undefined;
    }
    this.wasShort = isShort;
    yield* this.shown(this.present());
  }

  /** What was not read of the file before the present one. */
  private async *endOfOlder(
    copy: string | undefined,
    present: string | undefined,
  ): AsyncGenerator<LogPiece> {
    const isMoved = copy === this.identity;
    const isCopied = present === this.identity;
    if (isMoved || isCopied || this.identity === undefined) {
      yield* read(this.older, this.from);
      return;
    }
    // The writer has filled more than one file since: there is a gap, and no line is made of what
    // is on both sides of it.
    if (!this.isAfterNewline) yield { bytes: Buffer.from("\n"), at: 0 };
    yield* withoutFirstLine(read(this.older, 0));
  }

  /** Nothing when the file was moved away between the look and now: the next look finds it. */
  private async *present(): AsyncGenerator<LogPiece> {
    const handle = await openToRead(this.file);
    if (handle === undefined) return;
    const identity = identityOf(await handle.stat({ bigint: true }));
    this.identity ??= identity;
    if (identity !== this.identity) {
      await handle.close();
      return;
    }
    for await (const piece of readAll(handle, this.from)) {
      this.from += piece.bytes.length;
      yield piece;
    }
  }

  /** As the reader gets it. */
  private async *shown(pieces: AsyncGenerator<LogPiece>): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      const { bytes } = piece;
      if (bytes.length > 0) this.isAfterNewline = bytes.at(-1) === NEWLINE;
      if (this.timed === undefined) yield bytes;
      else yield* this.timed.of(piece);
    }
  }
}

async function* withoutFirstLine(pieces: AsyncGenerator<LogPiece>): AsyncGenerator<LogPiece> {
  let isInFirst = true;
  for await (const piece of pieces) {
    const { bytes, at } = piece;
    const end = isInFirst ? bytes.indexOf(NEWLINE) : -1;
    if (!isInFirst) yield piece;
    else if (end >= 0) {
      isInFirst = false;
      yield { ...piece, bytes: bytes.subarray(end + 1), at: at + end + 1 };
    }
  }
}

async function* read(file: string, from: number): AsyncGenerator<LogPiece> {
  const handle = await openToRead(file);
  if (handle !== undefined) yield* readAll(handle, from);
}

/** Closes the file when it has been read. */
async function* readAll(handle: FileHandle, from: number): AsyncGenerator<LogPiece> {
  try {
    for (let at = from; ;) {
      const buffer = Buffer.alloc(PART_BYTES);
      const { bytesRead } = await handle.read(buffer, 0, PART_BYTES, at);
      if (bytesRead === 0) return;
      const piece = { bytes: buffer.subarray(0, bytesRead), at, of: handle };
      at += bytesRead;
      yield piece;
    }
  } finally {
    await handle.close();
  }
}

interface LastLines {
  /** Where they begin. */
  readonly at: number;
  readonly size: number;
  /** Lines that the file does not have; undefined when all are wanted, whatever their number. */
  readonly missing: number | undefined;
}

async function lastLines(file: string, lines: number | undefined): Promise<LastLines> {
  const size = await sizeOf(file);
  if (lines === undefined || size === 0) return { at: 0, size, missing: lines };
  if (lines === 0) return { at: size, size, missing: 0 };
  const handle = await openToRead(file);
  if (handle === undefined) return { at: 0, size: 0, missing: lines };
  try {
    return { size, ...(await walkBack(handle, size, lines)) };
  } finally {
    await handle.close();
  }
}

async function walkBack(
  handle: FileHandle,
  size: number,
  lines: number,
): Promise<{ readonly at: number; readonly missing: number }> {
  let missing = lines;
  for (let end = size; end > 0;) {
    const start = Math.max(0, end - PART_BYTES);
    const buffer = Buffer.alloc(end - start);
    await handle.read(buffer, 0, buffer.length, start);
    for (let at = buffer.lastIndexOf(NEWLINE); at >= 0; at = lastBefore(buffer, at)) {
      // The one at the very end begins no line.
      if (start + at === size - 1) continue;
      missing -= 1;
      if (missing === 0) return { at: start + at + 1, missing };
    }
    end = start;
  }
  // The first line of the file has no newline before it.
  return { at: 0, missing: missing - 1 };
}

/** A negative offset would count from the end again. */
const lastBefore = (buffer: Buffer, at: number): number =>
  at === 0 ? -1 : buffer.lastIndexOf(NEWLINE, at - 1);

async function openToRead(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file, "r");
  } catch {
    return undefined;
  }
}

/** The number of a file that was removed is soon given to another; that other was made later. */
const identityOf = ({ ino, birthtimeNs }: BigIntStats): string => `${ino} ${birthtimeNs}`;

async function fileAt(file: string): Promise<string | undefined> {
  try {
    return identityOf(await stat(file, { bigint: true }));
  } catch {
    return undefined;
  }
}
