/**
 * One line on a terminal that says how far the work has come; nothing at all when there is no
 * terminal.
 */
import { forTerminal } from "./terminal-text.ts";

export interface ProgressTarget {
  readonly isTerminal: boolean;
  write(text: string): void;
  /** Milliseconds; only differences matter. */
  now(): number;
}

/** The terminal behind standard error. */
export function stderrTarget(write: (text: string) => void): ProgressTarget {
  return { isTerminal: process.stderr.isTTY, write, now: () => performance.now() };
}

/** Ten times a second looks alive and costs nothing. */
const REDRAW_MS = 100;

const BAR_WIDTH = 24;

/** Goes to the start of the line and clears it. */
const CLEAR_LINE = forTerminal("\r\u001B[2K");

export class ProgressBar {
  readonly #target: ProgressTarget;
  readonly #startedMs: number;
  #drawnMs = Number.NEGATIVE_INFINITY;

  constructor(target: ProgressTarget) {
    this.#target = target;
    this.#startedMs = target.now();
  }

  /** Draws `label` behind the bar, unless it was drawn a moment ago. */
  show(done: number, total: number, label: string): void {
    if (!this.#target.isTerminal) return;
    const now = this.#target.now();
    if (now - this.#drawnMs < REDRAW_MS && done < total) return;
    this.#drawnMs = now;
    const share = total === 0 ? 1 : Math.min(done / total, 1);
    const filled = Math.round(share * BAR_WIDTH);
    const bar = "█".repeat(filled) + "░".repeat(BAR_WIDTH - filled);
    const left = this.#timeLeft(share, now - this.#startedMs);
    this.#target.write(`${CLEAR_LINE}${bar} ${done}/${total} ${label}${left}`);
  }

  /** Takes the bar away, so that what is printed next stands alone. */
  clear(): void {
    if (this.#target.isTerminal) this.#target.write(CLEAR_LINE);
  }

  #timeLeft(share: number, elapsedMs: number): string {
    if (share === 0 || share === 1) return "";
    const seconds = Math.ceil((elapsedMs / share - elapsedMs) / 1000);
    return `, ${seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`} left`;
  }
}
