/**
 * One tenant's waiting workloads, the most important on top. A turn looks at a few of many thousand: putting
 * them in a heap costs one pass, where sorting all of them would cost ten.
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
      for (const child of [2 * at + 1, 2 * at + 2]) {
        const [a, b] = [items[child], items[best]];
        if (a !== undefined && b !== undefined && byImportance(a, b) < 0) best = child;
      }
      if (best === at) return;
      const item = items[at] as Waiting;
      items[at] = items[best] as Waiting;
      items[best] = item;
      at = best;
    }
  }
}
