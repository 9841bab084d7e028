/**
 * When the bytes of a log were there, as the log's writer noted it beside the file
 * (keep-log-script.ts): pairs of a length and the time at which the file was at least that long.
 * Bytes that the writer has not noted yet have the time of the file's last change.
 */
import { existsSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

/** Enough for the first line. */
const HEAD_BYTES = 64;

const PAIR = /^(\d{1,15}) (\d{19})$/;

/**
 * False of a log whose writer was an older agent's: its lines have no times. A log that is not
 * there yet will have them.
 */
export const hasTimes = (log: string): boolean =>
  timesOf(log).some((file) => existsSync(file)) || !existsSync(log);

/** Of the present file and of the one before it; the writer moves them after the logs. */
const timesOf = (log: string): readonly string[] => [`${log}.times`, `${log}.1.times`];

export class LineTimes {
  private readonly log: string;
  /** The file that the pairs are about. */
  private inode: bigint | undefined;
  private readonly ends: number[] = [];
  private readonly atNs: bigint[] = [];
  private readBytes = 0;
  private changedNs = 0n;

  constructor(log: string) {
    this.log = log;
  }

  /** Reads what was noted of this file by now; to be called after its bytes were read. */
  async refresh(file: FileHandle): Promise<void> {
    const { ino, mtimeNs } = await file.stat({ bigint: true });
    if (ino !== this.inode) {
      this.inode = ino;
      this.ends.length = 0;
      this.atNs.length = 0;
      this.readBytes = 0;
    }
    this.changedNs = mtimeNs;
    for (const path of timesOf(this.log)) {
      const times = await open(path, "r").catch(() => undefined);
      if (times === undefined) continue;
      try {
        if (await isAbout(times, ino)) return await this.readOn(times);
      } finally {
        await times.close();
      }
    }
  }

  /** Of the line that begins there, in nanoseconds since 1970. */
  at(offset: number): bigint {
    let low = 0;
    for (let high = this.ends.length; low < high;) {
      const middle = (low + high) >>> 1;
      if ((this.ends[middle] ?? 0) > offset) high = middle;
      else low = middle + 1;
    }
    return this.atNs[low] ?? this.changedNs;
  }

  private async readOn(times: FileHandle): Promise<void> {
    const { size } = await times.stat();
    const buffer = Buffer.alloc(Math.max(0, size - this.readBytes));
    const { bytesRead } = await times.read(buffer, 0, buffer.length, this.readBytes);
    const text = buffer.toString("latin1", 0, bytesRead);
    const whole = text.lastIndexOf("\n") + 1;
    this.readBytes += whole;
    for (const line of text.slice(0, whole).split("\n")) {
      const [, end, atNs] = PAIR.exec(line) ?? [];
      // A full disk may have cut a line in two.
      if (end === undefined || atNs === undefined || Number(end) < (this.ends.at(-1) ?? 0))
        continue;
      this.ends.push(Number(end));
      this.atNs.push(BigInt(atNs));
    }
  }
}

async function isAbout(times: FileHandle, inode: bigint): Promise<boolean> {
  const buffer = Buffer.alloc(HEAD_BYTES);
  const { bytesRead } = await times.read(buffer, 0, HEAD_BYTES, 0);
  return buffer.toString("latin1", 0, bytesRead).startsWith(`file ${inode}\n`);
}
