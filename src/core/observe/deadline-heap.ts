/**
 * Deadlines in their order, earliest first, without a look at all of them: a binary heap. An entry
 * that is over is not searched for; the caller says of each whether it still counts.
 */
export interface WithDeadline {
  readonly deadlineMs: number;
}

export class DeadlineHeap<Entry extends WithDeadline> {
  private entries: Entry[] = [];

  get size(): number {
    return this.entries.length;
  }

  first(): Entry | undefined {
    return this.entries[0];
  }

  push(entry: Entry): void {
    const { entries } = this;
    let hole = entries.length;
    entries.push(entry);
    while (hole > 0) {
      const parent = (hole - 1) >> 1;
      const above = entries[parent] as Entry;
      if (above.deadlineMs <= entry.deadlineMs) break;
      entries[hole] = above;
      hole = parent;
    }
    entries[hole] = entry;
  }

  shift(): void {
    const last = this.entries.pop();
    if (last !== undefined && this.entries.length > 0) this.sink(last);
  }

  /** Drops all that does not count any more. */
  keep(counts: (entry: Entry) => boolean): void {
    const kept = this.entries.filter(counts);
    // Sorted entries are a heap.
    this.entries = kept.toSorted((a, b) => a.deadlineMs - b.deadlineMs);
  }

  private sink(entry: Entry): void {
    const { entries } = this;
    const size = entries.length;
    let hole = 0;
    for (;;) {
      let child = 2 * hole + 1;
      if (child >= size) break;
      const right = child + 1;
      if (right < size && deadlineOf(entries, right) < deadlineOf(entries, child)) child = right;
      if (deadlineOf(entries, child) >= entry.deadlineMs) break;
      entries[hole] = entries[child] as Entry;
      hole = child;
    }
    entries[hole] = entry;
  }
}

const deadlineOf = (entries: readonly WithDeadline[], at: number): number =>
  (entries[at] as WithDeadline).deadlineMs;
