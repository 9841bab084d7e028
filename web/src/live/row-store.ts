/**
 * The newest rows of a stream, by key. Changes are told at most once a frame, however many came: a
 * page is drawn no more often than it can be seen.
 */
import { type ReadonlySignal, signal } from "@preact/signals";
import { onNextFrame } from "./on-next-frame.ts";

export interface RowChange {
  /** Everything is new: the old rows are gone. */
  readonly isAll: boolean;
  readonly changed: ReadonlySet<string>;
  readonly gone: ReadonlySet<string>;
}

export class RowStore<Row> {
  private readonly count = signal(0);
  private readonly listeners = new Set<(change: RowChange) => void>();
  private map = new Map<string, Row>();
  private changed = new Set<string>();
  private gone = new Set<string>();
  private isAll = false;
  private isDue = false;

  /** Grows with every change that was told. */
  get version(): ReadonlySignal<number> {
    return this.count;
  }

  /**
   * Read while rendering, it draws again at every change. The map is the store's own: it is never
   * copied, nor to be written.
   */
  get all(): ReadonlyMap<string, Row> {
    void this.count.value;
    return this.map;
  }

  /** The same without following it. */
  peek(): ReadonlyMap<string, Row> {
    return this.map;
  }

  get(key: string): Row | undefined {
    return this.all.get(key);
  }

  /**
   * For what is drawn by hand, such as a canvas: told which keys to look at again, once a frame.
   * Returns how to stop.
   */
  listen(listener: (change: RowChange) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  put(key: string, row: Row): void {
    this.map.set(key, row);
    this.changed.add(key);
    this.gone.delete(key);
    this.due();
  }

  drop(key: string): void {
    if (!this.map.delete(key)) return;
    this.changed.delete(key);
    this.gone.add(key);
    this.due();
  }

  replaceAll(map: Map<string, Row>): void {
    this.map = map;
    this.changed = new Set();
    this.gone = new Set();
    this.isAll = true;
    this.due();
  }

  private due(): void {
    if (this.isDue) return;
    this.isDue = true;
    onNextFrame(() => this.tell());
  }

  private tell(): void {
    const change = { isAll: this.isAll, changed: this.changed, gone: this.gone };
    this.changed = new Set();
    this.gone = new Set();
    this.isAll = false;
    this.isDue = false;
    this.count.value += 1;
    for (const listener of this.listeners) listener(change);
  }
}
