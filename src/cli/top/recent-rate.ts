/** How often something happens, in a second, over the last few of them. */

/** Long enough to be steady to the eye, short enough to show that something has begun. */
const WINDOW_MS = 10_000;
/** Right after the start little time has passed, and one thing is no rate yet. */
const SHORTEST_MS = 2_000;

export class RecentRate {
  private seen: { readonly atMs: number; readonly count: number }[] = [];
  private readonly sinceMs: number;

  constructor(nowMs: number) {
    this.sinceMs = nowMs;
  }

  note(nowMs: number, count: number): void {
    if (count > 0) this.seen.push({ atMs: nowMs, count });
  }

  perSecond(nowMs: number): number {
    const fromMs = nowMs - WINDOW_MS;
    this.seen = this.seen.filter(({ atMs }) => atMs > fromMs);
    const overMs = Math.max(SHORTEST_MS, Math.min(WINDOW_MS, nowMs - this.sinceMs));
    return (1_000 * this.seen.reduce((sum, { count }) => sum + count, 0)) / overMs;
  }
}
