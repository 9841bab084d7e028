/**
 * Whether the process that an authority lives in stood still: it was stopped, swapped out, or one
 * turn took far too long. What nodes sent meanwhile was not read, so their silence proves nothing.
 * Its host looks in at short intervals, and before every input that the authority is given; a look
 * that comes far too late is how a stall shows.
 */
import { LOAD_LIMITS } from "../model/limits/load-limits.ts";

export class StallWatch {
  private lookedMs: number | undefined;

  /** How long it stood still, when that was too long; else undefined. */
  look(nowMs: number): number | undefined {
    const gapMs = nowMs - (this.lookedMs ?? nowMs);
    this.lookedMs = nowMs;
    return gapMs > LOAD_LIMITS.stallMs.value ? gapMs : undefined;
  }
}
