/**
 * The node's time: CLOCK_BOOTTIME, as /proc/uptime shows it. It never steps, goes on while the
 * machine sleeps, and is the one clock that the agent, the next agent and the shims of their
 * processes share. A clock that stood still during sleep would let a lease outlive the authority's
 * patience.
 */
import { readFileSync } from "node:fs";
import { uptime } from "node:os";
import { performance } from "node:perf_hooks";

export class BootClock {
  private readonly wallAtBootMs: number;
  /** What the machine slept, so far, plus the difference between the two clocks' zeros. */
  private offsetMs = Number.NEGATIVE_INFINITY;

  constructor() {
    this.wallAtBootMs = Math.floor(Date.now() - this.sinceBootMs());
  }

  /** What components are told: the wall clock once, at start, and boot time from then on (CL1). */
  nowMs(): number {
    return this.wallAtBootMs + Math.floor(this.sinceBootMs());
  }

  sinceBootMs(): number {
    const monotonicMs = performance.now();
    // uptime() shows whole hundredths, cut off: it is never ahead, so the largest difference is the
    // best one.
    this.offsetMs = Math.max(this.offsetMs, uptime() * 1_000 - monotonicMs);
    return monotonicMs + this.offsetMs;
  }

  /** A time this clock has told, as milliseconds since boot. */
  toSinceBootMs(atMs: number): number {
    return atMs - this.wallAtBootMs;
  }
}

/** Changes with every boot of the machine, and with nothing else. */
export function readBootId(): string {
  return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
}
