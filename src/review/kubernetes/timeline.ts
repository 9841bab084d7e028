/** Events in virtual time: a binary heap by time, and by arrival among equals. */
interface Entry<Event> {
  readonly atMs: number;
  readonly sequence: number;
  readonly event: Event;
}

export class Timeline<Event> {
  private readonly heap: Entry<Event>[] = [];
  private pushed = 0;

  push(atMs: number, event: Event): void {
    const { heap } = this;
    const entry = { atMs, sequence: this.pushed++, event };
    let hole = heap.length;
    while (hole > 0) {
      const parent = (hole - 1) >> 1;
      const above = heap[parent] as Entry<Event>;
      if (!isBefore(entry, above)) break;
      heap[hole] = above;
      hole = parent;
    }
    heap[hole] = entry;
  }

  /** The next one, if it is not after that time. */
  popUntil(endMs: number): { readonly atMs: number; readonly event: Event } | undefined {
    const [first] = this.heap;
    if (first === undefined || first.atMs > endMs) return undefined;
    const last = this.heap.pop() as Entry<Event>;
    if (this.heap.length > 0) this.sink(last);
    return first;
  }

  private sink(entry: Entry<Event>): void {
    const { heap } = this;
    let hole = 0;
    for (;;) {
      let child = 2 * hole + 1;
      const right = heap[child + 1];
      if (right !== undefined && isBefore(right, heap[child] as Entry<Event>)) child += 1;
      const below = heap[child];
      if (below === undefined || !isBefore(below, entry)) break;
      heap[hole] = below;
      hole = child;
    }
    heap[hole] = entry;
  }
}

const isBefore = <Event>(a: Entry<Event>, b: Entry<Event>): boolean =>
  a.atMs < b.atMs || (a.atMs === b.atMs && a.sequence < b.sequence);
