/**
 * When to ask for the end of what was made for a while, an override or a budget. Only the authority
 * says that it is over; controllers have no clock to compare with its own (CL1), so all of this is
 * on theirs, and may be asked too early.
 */
import type { ObjectKey } from "../model/ids.ts";
import type { RecoveryBudget, Override } from "../model/objects.ts";
import { DRIFT_PARTS_PER_THOUSAND } from "../model/timing.ts";

/**
 * Our wall clock may be ahead of the authority's: asked too early, it is asked again, and not all
 * the time.
 */
const AGAIN_MS = 5_000;

/** One end, since when it was seen, and when it was last asked for. */
interface Seen {
  readonly generation: number;
  readonly sinceMs: number;
  /** At most so much is left of it. */
  readonly leftMs: number;
  askedMs: number;
}

export class EndsSeen {
  private readonly seen = new Map<ObjectKey, Seen>();

  /**
   * By the wall clock, or by the time it was to last since it was seen: whichever is sooner, and
   * only asking tells.
   */
  dueMs(object: RecoveryBudget | Override, nowMs: number): number {
    const { sinceMs, leftMs, askedMs } = this.see(object, nowMs);
    const countedMs = sinceMs + leftMs + Math.ceil((2 * leftMs * DRIFT_PARTS_PER_THOUSAND) / 1000);
    return Math.max(askedMs + AGAIN_MS, Math.min(object.status.untilMs, countedMs));
  }

  asked(object: RecoveryBudget | Override, nowMs: number): void {
    this.see(object, nowMs).askedMs = nowMs;
  }

  forget(key: ObjectKey): void {
    this.seen.delete(key);
  }

  /** Another end is another generation. */
  private see({ key, meta, spec }: RecoveryBudget | Override, nowMs: number): Seen {
    const known = this.seen.get(key);
    if (known?.generation === meta.generation) return known;
    const fresh: Seen = {
      generation: meta.generation,
      sinceMs: nowMs,
      leftMs: spec.ttlMs,
      askedMs: Number.NEGATIVE_INFINITY,
    };
    this.seen.set(key, fresh);
    return fresh;
  }
}
