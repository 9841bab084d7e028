/**
 * One tenant's waiting workloads, the most important on top. A turn looks at a few of many
 * thousand: putting them in a heap costs one pass, where sorting all of them would cost ten.
 */
import type { Waiting } from "./fair-order.ts";

/** The more important first, then the older; names decide what nothing else does. */
export const byImportance = (a: Waiting, b: Waiting): number =>
  b.priority - a.priority || a.sinceMs - b.sinceMs || (a.key < b.key ? -1 : 1);

export class ImportanceHeap {
  private readonly items: Waiting[] = [];
  private isHeap = false;

  get size(): number {
    return this.items.length;
  }

  /** Everything is added before anything is taken. */
  add(waiting: Waiting): void {
    this.items.push(waiting);
  }

  take(): Waiting | undefined {
    const { items } = this;
    if (!this.isHeap) {
      for (let at = (items.length >> 1) - 1; at >= 0; at -= 1) this.sink(at);
      this.isHeap = true;
    }
    const first = items[0];
    const last = items.pop();
    if (last !== undefined && items.length > 0) {
      items[0] = last;
      this.sink(0);
    }
    return first;
  }

  private sink(from: number): void {
    const { items } = this;
    let at = from;
    for (;;) {
      let best = at;
      if (this.isBefore(2 * at + 1, best)) best = 2 * at + 1;
      if (this.isBefore(2 * at + 2, best)) best = 2 * at + 2;
      if (best === at) return;
      const item = items[at] as Waiting;
      items[at] = items[best] as Waiting;
      items[best] = item;
      at = best;
    }
  }

  private isBefore(a: number, b: number): boolean {
    const [one, other] = [this.items[a], this.items[b]];
    return one !== undefined && other !== undefined && byImportance(one, other) < 0;
  }
}
