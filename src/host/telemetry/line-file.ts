/**
 * Lines of JSON in a file that is kept within a size: when it is full it becomes the one before it,
 * of which a few are kept. The writer never waits: what the disk does not take in time is dropped
 * and counted.
 */
import { appendFile, rename, stat } from "node:fs/promises";
import { OWNER_ONLY_FILE } from "../../shell/private-folder.ts";

export interface LineCounts {
  written: number;
  dropped: number;
}

export interface LineFileOf {
  readonly path: string;
  readonly counts: LineCounts;
  readonly onTrouble: (sentence: string) => void;
  /** A day or so of a busy plane; with those that are kept, less than half a gibibyte. */
  readonly bytes?: number;
}

const BYTES = 64 * 1_024 * 1_024;
/** Of those before it: `FILE.1` is the latest. */
const KEPT = 5;
/** Some thousand lines: a disk that hangs for longer than these take has other troubles. */
const WAITING_MOST = 8_192;

export class LineFile {
  private readonly of: LineFileOf;
  private waiting: string[] = [];
  private writing: Promise<void> | undefined;
  private size: number | undefined;
  private isInTrouble = false;

  constructor(of: LineFileOf) {
    this.of = of;
  }

  write(line: object): void {
    if (this.waiting.length >= WAITING_MOST) {
      this.of.counts.dropped += 1;
      return;
    }
    this.waiting.push(`${JSON.stringify(line)}\n`);
    this.writing ??= this.writeAll().finally(() => {
      this.writing = undefined;
    });
  }

  async close(): Promise<void> {
    while (this.writing !== undefined) await this.writing;
  }

  private async writeAll(): Promise<void> {
    // What comes in the same turn goes out with one write.
    await new Promise(setImmediate);
    while (this.waiting.length > 0) {
      const lines = this.waiting;
      this.waiting = [];
      try {
        await this.append(lines.join(""));
        this.of.counts.written += lines.length;
        this.isInTrouble = false;
      } catch (error) {
        this.of.counts.dropped += lines.length;
        this.complain(error);
      }
    }
  }

  private async append(text: string): Promise<void> {
    const { path, bytes = BYTES } = this.of;
    this.size ??= await sizeOf(path);
    if (this.size > 0 && this.size + text.length > bytes) {
      await this.turnOver();
      this.size = 0;
    }
    await appendFile(path, text, { mode: OWNER_ONLY_FILE });
    this.size += Buffer.byteLength(text);
  }

  private async turnOver(): Promise<void> {
    const { path } = this.of;
    for (let at = KEPT - 1; at >= 1; at -= 1) {
      await rename(`${path}.${at}`, `${path}.${at + 1}`).catch(ifAbsent);
    }
    await rename(path, `${path}.1`).catch(ifAbsent);
  }

  /** Once for each time that it goes wrong after it went well. */
  private complain(error: unknown): void {
    if (this.isInTrouble) return;
    this.isInTrouble = true;
    const reason = error instanceof Error ? error.message : String(error);
    this.of.onTrouble(`Cannot write decisions to ${this.of.path}: ${reason}.`);
  }
}

async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch(ifAbsent);
  return found?.size ?? 0;
}

function ifAbsent(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  return undefined;
}
