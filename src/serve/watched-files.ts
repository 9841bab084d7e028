/**
 * Files that are read again when they change. They are looked at, not listened to: what a file
 * system tells of a renamed file or a swapped symbolic link differs, and a look follows both. A
 * change counts once two looks in a row have found the same, so that a file in the middle of being
 * written is not taken for a short one.
 */
import { statSync } from "node:fs";
import { RELOAD_LIMITS } from "./reload-limits.ts";

export interface WatchedFilesOf {
  readonly files: readonly string[];
  readonly onChange: () => void;
  /** After every look: what goes by the clock and not by a file. */
  readonly onLook?: () => void;
  readonly everyMs?: number;
}

export class WatchedFiles {
  private readonly of: WatchedFilesOf;
  private readonly timer: NodeJS.Timeout;
  /** As they were when they were last read. */
  private taken: string;
  private last: string;

  constructor(of: WatchedFilesOf) {
    this.of = of;
    this.taken = this.state();
    this.last = this.taken;
    const { everyMs = RELOAD_LIMITS.lookEveryMs.value } = of;
    this.timer = setInterval(() => this.look(), everyMs).unref();
  }

  /** Called by the timer, and by tests that do not wait for it. */
  look(): void {
    const now = this.state();
    const isSettled = now === this.last;
    this.last = now;
    if (isSettled && now !== this.taken) this.reload();
    this.of.onLook?.();
  }

  /** At once, whether or not anything has changed. */
  reload(): void {
    this.taken = this.state();
    this.last = this.taken;
    this.of.onChange();
  }

  close(): void {
    clearInterval(this.timer);
  }

  private state(): string {
    return this.of.files.map(stateOf).join("\n");
  }
}

/** Of what a link leads to. A file that is gone for the moment is a state like any other. */
function stateOf(file: string): string {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join(" ");
  } catch {
    return "missing";
  }
}
