/**
 * The samples of one objective, good and in all, by the minute; minutes that the window has left
 * are forgotten.
 */
import { type SloSpec, WHOLE } from "../../core/model/slo.ts";

const MINUTE_MS = 60_000;
const SHORT_MS = 5 * MINUTE_MS;
const LONG_MS = 60 * MINUTE_MS;

interface Samples {
  good: number;
  all: number;
}

/** Parts are of 1. */
export interface SloReading {
  /** Samples in the window. */
  readonly measured: number;
  /** The part that was good; 1 while there is none. */
  readonly good: number;
  /** What is left of what may go wrong: 1 all of it, below 0 more went wrong than may. */
  readonly budgetLeft: number;
  /** How fast the budget is spent; 1 spends all of it by the end of a window. */
  readonly burn5m: number;
  readonly burn1h: number;
  /** When measuring began; nothing was measured before. */
  readonly sinceMs: number;
}

export class SloCount {
  readonly spec: SloSpec;
  private readonly minutes = new Map<number, Samples>();
  private readonly sinceMs: number;

  constructor(spec: SloSpec, nowMs: number) {
    this.spec = spec;
    this.sinceMs = nowMs;
  }

  add(value: number, atMs: number): void {
    const minute = Math.floor(atMs / MINUTE_MS);
    let samples = this.minutes.get(minute);
    if (samples === undefined) {
      this.forget(atMs);
      samples = { good: 0, all: 0 };
      this.minutes.set(minute, samples);
    }
    samples.all += 1;
    if (value <= this.spec.threshold) samples.good += 1;
  }

  read(nowMs: number): SloReading {
    const window = this.within(this.spec.windowMs, nowMs);
    const burn = this.burnOf(window);
    return {
      measured: window.all,
      good: window.all === 0 ? 1 : window.good / window.all,
      budgetLeft: 1 - burn,
      burn5m: this.burnOf(this.within(SHORT_MS, nowMs)),
      burn1h: this.burnOf(this.within(LONG_MS, nowMs)),
      sinceMs: this.sinceMs,
    };
  }

  /** What went wrong, as a part of what may. */
  private burnOf({ good, all }: Samples): number {
    if (all === 0) return 0;
    return (1 - good / all) / (1 - this.spec.objective / WHOLE);
  }

  private within(spanMs: number, nowMs: number): Samples {
    const from = Math.floor((nowMs - spanMs) / MINUTE_MS);
    const sum = { good: 0, all: 0 };
    for (const [minute, { good, all }] of this.minutes) {
      if (minute <= from) continue;
      sum.good += good;
      sum.all += all;
    }
    return sum;
  }

  private forget(nowMs: number): void {
    const kept = Math.max(this.spec.windowMs, LONG_MS);
    const from = Math.floor((nowMs - kept) / MINUTE_MS);
    for (const minute of this.minutes.keys()) if (minute <= from) this.minutes.delete(minute);
  }
}
