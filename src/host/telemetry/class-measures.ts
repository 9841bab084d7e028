/**
 * The queue of one priority class in numbers: who waits, since when, and how long those waited that
 * were bound.
 */
import { Distribution, WAITS_MS } from "./distribution.ts";

export class ClassMeasures {
  readonly bindMs = new Distribution(WAITS_MS);
  readonly queueMs = new Distribution(WAITS_MS);
  length = 0;
  /**
   * How many came into the queue at which time. One command queues many at one time, so that this
   * is short, and times come in their order: the first entry has waited longest.
   */
  private readonly since = new Map<number, number>();

  enter(sinceMs: number): void {
    this.length += 1;
    this.since.set(sinceMs, (this.since.get(sinceMs) ?? 0) + 1);
  }

  leave(sinceMs: number): void {
    this.length -= 1;
    const others = (this.since.get(sinceMs) ?? 0) - 1;
    if (others > 0) this.since.set(sinceMs, others);
    else this.since.delete(sinceMs);
  }

  get oldestSinceMs(): number | undefined {
    const [first] = this.since.keys();
    return first;
  }
}
