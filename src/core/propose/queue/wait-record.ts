/**
 * How waits went that were estimated: the true wait in thousandths of its estimate, for the newest
 * of them. An estimate from the rate of departures alone is wrong in a way that lasts: it knows
 * nothing of gaps that fit one replica and not the next, of bursts, or of order. Its own record
 * says by how much, and turns the estimate into an interval.
 */
import type { ObjectKey } from "../../model/ids.ts";

/** Enough that nine of ten is not the word of one wait; few enough to follow a change in a day. */
const KEPT = 128;

/** Every waiting workload asks, and an interval moves no faster than people look. */
const SORT_EVERY_MS = 1_000;

/** With fewer, nine of ten says no more than the longest of them. */
export const LEAST_WAITS = 10;

/** As many as are told their place in the queue; the oldest statement goes first. */
const OPEN = 1_024;

const THOUSANDTHS = 1_000;

/** A wait that took a thousand times its estimate says "much longer", and stays an integer. */
const MOST = 1_000 * THOUSANDTHS;

interface Statement {
  readonly saidMs: number;
  readonly guessMs: number;
  /** When this scheduler last found a node for it, on the clock of the statement. */
  foundMs?: number;
}

/** Half of the waits took no longer than the first, nine of ten no longer than the second. */
export interface WaitInterval {
  readonly estimateMs: number;
  readonly upToMs: number;
}

export class WaitRecord {
  private readonly open = new Map<ObjectKey, Statement>();
  private readonly shares: number[] = [];
  private next = 0;
  /** The shares in ascending order, with waits that already last longer than most. */
  private sorted: readonly number[] = [];
  private sortedMs = Number.NEGATIVE_INFINITY;

  /** Waits that ended after they were estimated, of those that are kept. */
  get ended(): number {
    return this.shares.length;
  }

  /** The first estimate of a wait counts: later ones have less of it before them. */
  estimated(key: ObjectKey, guessMs: number, nowMs: number): void {
    if (this.open.has(key)) return;
    if (this.open.size >= OPEN) {
      for (const oldest of this.open.keys()) {
        this.open.delete(oldest);
        break;
      }
    }
    this.open.set(key, { saidMs: nowMs, guessMs: Math.max(1, guessMs) });
  }

  /** A node was found; the wait ends when the authority commits the bind. */
  found(key: ObjectKey, nowMs: number): void {
    const said = this.open.get(key);
    if (said !== undefined) said.foundMs = nowMs;
  }

  /**
   * The replica that waited first was bound. A bind by another scheduler ends the wait as well, at
   * a time that this clock does not know.
   */
  bound(key: ObjectKey): void {
    const said = this.open.get(key);
    this.open.delete(key);
    if (said?.foundMs === undefined) return;
    this.shares[this.next] = shareOf(said, said.foundMs);
    this.next = (this.next + 1) % KEPT;
  }

  /** Nothing waits any more, and nothing was bound: there is no wait that one could learn from. */
  gone(key: ObjectKey): void {
    this.open.delete(key);
  }

  /** Undefined while too few waits have ended to say. */
  interval(guessMs: number, nowMs: number): WaitInterval | undefined {
    if (this.shares.length < LEAST_WAITS) return undefined;
    const sorted = this.inOrder(nowMs);
    const estimateMs = times(guessMs, rank(sorted, 50));
    return { estimateMs, upToMs: Math.max(estimateMs, times(guessMs, rank(sorted, 90))) };
  }

  /**
   * Waits that end soon are the first to be in the record. One that goes on beyond nine of ten
   * counts with the time that it has lasted, or the interval would be too short while many wait.
   */
  private inOrder(nowMs: number): readonly number[] {
    if (nowMs < this.sortedMs + SORT_EVERY_MS) return this.sorted;
    const ended = this.shares.toSorted((a, b) => a - b);
    const beyond = rank(ended, 90);
    const lasting = [...this.open.values()]
      .map((said) => shareOf(said, nowMs))
      .filter((share) => share > beyond);
    this.sorted = [...ended, ...lasting.toSorted((a, b) => a - b)];
    this.sortedMs = nowMs;
    return this.sorted;
  }
}

function shareOf({ saidMs, guessMs }: Statement, atMs: number): number {
  const waitedMs = Math.max(0, atMs - saidMs);
  return Math.min(MOST, Math.ceil((waitedMs * THOUSANDTHS) / guessMs));
}

/** The least that so many percent are not above, rounded against the promise. */
function rank(sorted: readonly number[], percent: number): number {
  const at = Math.ceil(((sorted.length + 1) * percent) / 100);
  return sorted[Math.min(sorted.length, at) - 1] ?? 0;
}

const times = (guessMs: number, share: number): number =>
  Math.max(1, Math.ceil((guessMs * share) / THOUSANDTHS));
