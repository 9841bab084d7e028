/**
 * A machine's clock: it may run fast or slow, but it only ever runs forward. Steps of the wall
 * clock are not made here: they become visible as another offset when a process starts (CL1).
 */

/** Where clocks start: high enough that no offset a fault may bring makes a time negative. */
const START_MS = 1_000_000;

export class DriftingClock {
  private anchorTrueMs = 0;
  private anchorMs: number;
  /** Local milliseconds per 1,000 true ones. */
  private rate = 1000;

  /** `startMs` is its reading when the run begins. */
  constructor(startMs = START_MS) {
    this.anchorMs = startMs;
  }

  read(trueMs: number): number {
    const elapsed = trueMs - this.anchorTrueMs;
    if (this.rate === 1000) return this.anchorMs + elapsed;
    return this.anchorMs + Math.floor((elapsed * this.rate) / 1000);
  }

  /** The first true millisecond at which the clock shows `localMs` or more. */
  trueTimeOf(localMs: number): number {
    const ahead = localMs - this.anchorMs;
    if (this.rate === 1000) return this.anchorTrueMs + ahead;
    return this.anchorTrueMs + Math.ceil((ahead * 1000) / this.rate);
  }

  setDrift(trueMs: number, partsPerThousand: number): void {
    this.anchorMs = this.read(trueMs);
    this.anchorTrueMs = trueMs;
    this.rate = 1000 + partsPerThousand;
  }
}
