/**
 * Until when leashed processes may run, where the shims of those processes can read it: one number,
 * hundredths of a second since boot. No file, or one that is not a number, means that the time is
 * over.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { OWNER_ONLY_FILE } from "../../shell/private-folder.ts";

const HUNDREDTH_MS = 10;
/** Enough for three centuries of uptime. */
const DIGITS = 12;

export class LeashFile {
  readonly path: string;
  private untilMs: number;

  constructor(path: string) {
    this.path = path;
    this.untilMs = read(path);
  }

  isOver(sinceBootMs: number): boolean {
    return sinceBootMs >= this.untilMs;
  }

  /** Not made durable: a boot ends every process, and the file means nothing after it. */
  extendTo(sinceBootMs: number): void {
    const hundredths = Math.floor(sinceBootMs / HUNDREDTH_MS);
    const text = `${String(hundredths).padStart(DIGITS, "0")}\n`;
    try {
      // Renamed into place, because a shim may read at any moment.
      writeFileSync(`${this.path}.new`, text, { mode: OWNER_ONLY_FILE });
      renameSync(`${this.path}.new`, this.path);
    } catch {
      // A full disk must not cost a node its processes: every text is as long as the one before it.
      writeFileSync(this.path, text, { flag: "r+" });
    }
    this.untilMs = hundredths * HUNDREDTH_MS;
  }

  /** After a boot the old number would be far in the future. */
  clear(): void {
    rmSync(this.path, { force: true });
    this.untilMs = Number.NEGATIVE_INFINITY;
  }
}

function read(path: string): number {
  try {
    const text = readFileSync(path, "utf8").trim();
    return /^\d+$/.test(text) ? Number(text) * HUNDREDTH_MS : Number.NEGATIVE_INFINITY;
  } catch {
    return Number.NEGATIVE_INFINITY;
  }
}
