/**
 * The log file of a child that writes into it itself, kept within a size: two files at most, the
 * present one and the one before it. The child appends, so it goes on at the beginning when the
 * file was emptied.
 */
import { openSync } from "node:fs";
import { dirname } from "node:path";
import { makeDataFolder, OWNER_ONLY_FILE } from "../../shell/private-folder.ts";
import { LOG_BYTES, rotateLog } from "../../agent/logs/rotate-log.ts";

/** A child that fills its file faster than this is looked at has other troubles than its log. */
const LOOK_MS = 2_000;

export interface LogBounds {
  readonly bytes?: number;
  readonly lookMs?: number;
}

export class BoundedLog {
  readonly file: string;
  private readonly bounds: LogBounds;
  private timer: NodeJS.Timeout | undefined;

  constructor(file: string, bounds: LogBounds = {}) {
    this.file = file;
    this.bounds = bounds;
    makeDataFolder(dirname(file));
  }

  /** A descriptor for the child; the caller closes it. */
  open(): number {
    this.timer ??= setTimeout(() => void this.look(), this.bounds.lookMs ?? LOOK_MS).unref();
    return openSync(this.file, "a", OWNER_ONLY_FILE);
  }

  close(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private async look(): Promise<void> {
    const timer = this.timer;
    // A full disk is no reason to stop: the next look tries again.
    await rotateLog(this.file, this.bounds.bytes ?? LOG_BYTES).catch(() => undefined);
    // Closed meanwhile, and perhaps opened again: then another look is on its way.
    if (timer !== undefined && this.timer === timer) timer.refresh();
  }
}
