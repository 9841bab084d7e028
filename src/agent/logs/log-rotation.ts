/** Looks every second whether a log that no pipe bounds has grown beyond its size. */
import { rotateLog } from "./rotate-log.ts";

const EVERY_MS = 1_000;

export class LogRotation {
  private readonly timer: NodeJS.Timeout;
  private isBusy = false;

  constructor(of: { readonly files: () => readonly string[]; readonly logBytes: number }) {
    this.timer = setInterval(() => void this.look(of.files(), of.logBytes), EVERY_MS);
  }

  close(): void {
    clearInterval(this.timer);
  }

  private async look(files: readonly string[], logBytes: number): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    for (const file of files) {
      // A full disk is no reason to stop: the next look tries again.
      await rotateLog(file, logBytes).catch(() => undefined);
    }
    this.isBusy = false;
  }
}
