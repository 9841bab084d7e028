/** Lines of a log with their times before them, and without those from before a given moment. */
import type { FileHandle } from "node:fs/promises";
import { LineTimes } from "./line-times.ts";

/** As much as a part of a log has without times: planes take no more than twice that at once. */
const MOST_BYTES = 256 * 1024;

const NEWLINE = 10;

export interface TimesWanted {
  /** Earlier lines are left out. */
  readonly sinceNs?: bigint | undefined;
  readonly isShown: boolean;
}

/** Bytes of a log, and where in which file they are. */
export interface LogPiece {
  readonly bytes: Buffer;
  readonly at: number;
  /** Left out: of no file, and part of the line before it. */
  readonly of?: FileHandle;
}

export class TimedLines {
  private readonly wanted: TimesWanted;
  private readonly times: LineTimes;
  private isInLine = false;
  private isLeftOut = false;

  constructor(log: string, wanted: TimesWanted) {
    this.wanted = wanted;
    this.times = new LineTimes(log);
  }

  async *of(piece: LogPiece): AsyncGenerator<Buffer> {
    if (piece.of !== undefined) await this.times.refresh(piece.of);
    let gathered: Buffer[] = [];
    let size = 0;
    for (const part of this.lines(piece)) {
      if (size > 0 && size + part.length > MOST_BYTES) {
        yield Buffer.concat(gathered);
        gathered = [];
        size = 0;
      }
      gathered.push(part);
      size += part.length;
    }
    if (size > 0) yield Buffer.concat(gathered);
  }

  private *lines({ bytes, at }: LogPiece): Generator<Buffer> {
    for (let start = 0; start < bytes.length;) {
      const newline = bytes.indexOf(NEWLINE, start);
      const end = newline < 0 ? bytes.length : newline + 1;
      if (!this.isInLine) {
        const atNs = this.times.at(at + start);
        this.isLeftOut = this.wanted.sinceNs !== undefined && atNs < this.wanted.sinceNs;
        if (!this.isLeftOut && this.wanted.isShown) yield Buffer.from(`${timeText(atNs)} `);
      }
      if (!this.isLeftOut) yield bytes.subarray(start, end);
      this.isInLine = newline < 0;
      start = end;
    }
  }
}

const NS_PER_S = 1_000_000_000n;

/** As Kubernetes writes it: always nine digits of a second. */
function timeText(ns: bigint): string {
  const second = new Date(Number(ns / 1_000_000n)).toISOString().slice(0, 19);
  return `${second}.${String(ns % NS_PER_S).padStart(9, "0")}Z`;
}
