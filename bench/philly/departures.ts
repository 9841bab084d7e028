/** When running jobs end, soonest first; a binary heap. */
export interface Departure {
  readonly atS: number;
  /** Breaks ties, so that a run is the same every time. */
  readonly order: number;
}

export class Departures<T extends Departure> {
  private readonly heap: T[] = [];

  get next(): T | undefined {
    return this.heap[0];
  }

  add(entry: T): void {
    const { heap } = this;
    let at = heap.length;
    heap.push(entry);
    while (at > 0) {
      const up = (at - 1) >> 1;
      const parent = heap[up];
      if (parent === undefined || !isSooner(entry, parent)) break;
      heap[at] = parent;
      at = up;
    }
    heap[at] = entry;
  }

  take(): T | undefined {
    const { heap } = this;
    const first = heap[0];
    const last = heap.pop();
    if (last !== undefined && heap.length > 0) this.sink(last);
    return first;
  }

  private sink(entry: T): void {
    const { heap } = this;
    let at = 0;
    for (;;) {
      const left = heap[2 * at + 1];
      const right = heap[2 * at + 2];
      const goesRight = left !== undefined && right !== undefined && isSooner(right, left);
      const child = goesRight ? right : left;
      if (child === undefined || !isSooner(child, entry)) break;
      heap[at] = child;
      at = 2 * at + (goesRight ? 2 : 1);
    }
    heap[at] = entry;
  }
}

const isSooner = (a: Departure, b: Departure): boolean =>
  a.atS < b.atS || (a.atS === b.atS && a.order < b.order);
