/**
 * Keeps a thread within its part of a core: after each stretch of work it rests so long that work
 * is at most that part of the time. It counts the time that passed, which is never less than the
 * time that the thread computed.
 */
export interface PacerOf {
  /** At most this part of the time is work, in thousandths. */
  readonly workMillis: number;
  readonly nowMs: () => number;
  readonly sleep: (ms: number) => void;
}

/** Shorter stretches are not worth a pause. */
const STRETCH_MS = 5;

export class Pacer {
  /** All work so far. */
  busyMs = 0;
  private readonly of: PacerOf;
  private sinceMs: number;

  constructor(of: PacerOf) {
    this.of = of;
    this.sinceMs = of.nowMs();
  }

  /** Work begins after a time in which there was none. */
  begin(): void {
    this.sinceMs = this.of.nowMs();
  }

  /** Rests for the work since the last rest. */
  rest(): void {
    const { workMillis, nowMs, sleep } = this.of;
    const workedMs = nowMs() - this.sinceMs;
    if (workedMs < STRETCH_MS) return;
    this.busyMs += workedMs;
    sleep(Math.ceil((workedMs * (1_000 - workMillis)) / workMillis));
    this.sinceMs = nowMs();
  }
}
