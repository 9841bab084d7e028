/**
 * How long to wait before something that ended is started again: longer each time, unless it has
 * run for a while.
 */
const FIRST_PAUSE_MS = 300;
const LONGEST_PAUSE_MS = 10_000;
/** What has run for this long has not failed to start: the next pause is the first one again. */
const STEADY_MS = 10_000;

export class RestartPause {
  private pauseMs = FIRST_PAUSE_MS;
  private startedMs = 0;

  started(): void {
    this.startedMs = performance.now();
  }

  /** Call it once for every end. */
  nextMs(): number {
    if (performance.now() - this.startedMs > STEADY_MS) this.pauseMs = FIRST_PAUSE_MS;
    const { pauseMs } = this;
    this.pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    return pauseMs;
  }
}
