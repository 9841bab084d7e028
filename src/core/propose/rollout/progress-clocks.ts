/**
 * Since when a rollout has made no progress, and since when a step of it serves whole, on the clock
 * of this object's owner. A controller that was restarted counts anew, which only gives the rollout
 * more time.
 */
import type { ObjectKey } from "../../model/ids.ts";

export interface Progress {
  /** Which rollout it is of, and at which step. */
  readonly retargets: number;
  readonly step: number;
  /** Of the target: one more of them that serves is progress. */
  readonly serving: number;
  /** Of those that are left behind: one less that lives is progress, too. */
  readonly left: number;
}

interface Clock {
  readonly seen: Progress;
  sinceMs: number;
  stepSinceMs: number | undefined;
}

export class ProgressClocks {
  private readonly clocks = new Map<ObjectKey, Clock>();

  /** When it last moved. A replica that stops to serve and serves again has moved nothing. */
  movedMs(workload: ObjectKey, now: Progress, nowMs: number): number {
    const clock = this.clocks.get(workload);
    const isSame = clock?.seen.retargets === now.retargets && clock.seen.step === now.step;
    if (clock !== undefined && isSame) {
      const { seen } = clock;
      if (now.serving <= seen.serving && now.left >= seen.left) return clock.sinceMs;
    }
    const seen = isSame && clock !== undefined ? furthest(clock.seen, now) : now;
    const stepSinceMs = isSame ? clock?.stepSinceMs : undefined;
    this.clocks.set(workload, { seen, sinceMs: nowMs, stepSinceMs });
    return nowMs;
  }

  /** Since when all of the step have served without a break. */
  stepSinceMs(workload: ObjectKey, isServing: boolean, nowMs: number): number {
    const clock = this.clocks.get(workload);
    if (clock === undefined) return nowMs;
    clock.stepSinceMs = isServing ? (clock.stepSinceMs ?? nowMs) : undefined;
    // It is watched on purpose: that is no time without progress.
    if (isServing) clock.sinceMs = nowMs;
    return clock.stepSinceMs ?? nowMs;
  }

  /** Nothing is waited for: it is over, or somebody has paused it. */
  forget(workload: ObjectKey): void {
    this.clocks.delete(workload);
  }
}

const furthest = (a: Progress, b: Progress): Progress => ({
  ...b,
  serving: Math.max(a.serving, b.serving),
  left: Math.min(a.left, b.left),
});
