/**
 * One watcher of a view, from the first table to its last line. What changes is kept as keys, never
 * as lines: a reader that is slow finds the newest state of what it missed, and costs one message
 * and a set of keys, however long it dawdles.
 */
import type { Writable } from "node:stream";
import { inNextSlice } from "../http/next-slice.ts";
import { type RowSlice, sliceOf } from "./row-slice.ts";
import type { RowsShown } from "./rows-shown.ts";
import type { RowReader, TextOf, ViewFeed } from "./view-feed.ts";

export interface ViewStreamOf {
  readonly to: Writable;
  /** The key of the one row that is wanted; left out: all. */
  readonly only?: string | undefined;
  /** What of the view its caller may see. */
  readonly shown: RowsShown;
  /** How long it may take over what it was sent. */
  readonly slowMs: number;
  readonly bookmarkEveryMs: number;
  readonly timeoutMs: number;
  readonly onClosed: () => void;
}

/** A reader that does not even take the end is cut off after this long. */
const LAST_WORD_MS = 10_000;

export class ViewStream implements RowReader {
  private readonly feed: ViewFeed;
  private readonly of: ViewStreamOf;
  private readonly dirty = new Set<string>();
  private readonly leave: () => void;
  private readonly timers: NodeJS.Timeout[];
  /** What the first table still has to show; undefined once it is whole. */
  private first: Iterator<string> | undefined;
  private left: number;
  private isOnItsWay = false;
  private cutOff: NodeJS.Timeout | undefined;
  private state: "new" | "open" | "ending" | "closed" = "new";

  constructor(feed: ViewFeed, of: ViewStreamOf) {
    this.feed = feed;
    this.of = of;
    const { keys, leave } = feed.join(this, of.only);
    this.leave = leave;
    const seen = keys.filter((key) => of.shown.sees(key));
    this.first = seen.values();
    this.left = seen.length;
    const { to } = of;
    to.on("drain", () => this.drained());
    to.on("close", () => this.closed());
    // A reader that goes away in the middle of a line is no fault of ours.
    to.on("error", () => this.closed());
    this.timers = [
      setInterval(() => this.bookmark(), of.bookmarkEveryMs),
      setTimeout(() => this.end(), of.timeoutMs),
    ];
    // It may have gone while the request was being looked at, before anybody listened.
    if (to.destroyed) queueMicrotask(() => this.closed());
    else this.sendTable();
  }

  mark(key: string): void {
    if (this.of.shown.sees(key)) this.dirty.add(key);
  }

  flush(textOf: TextOf): boolean {
    if (this.feed.isDeposed) this.end();
    if (!this.canWrite || this.first !== undefined || this.dirty.size === 0) return false;
    const keys = this.dirty.values();
    const { shown } = this.of;
    const next = (): string | undefined => {
      const { done, value } = keys.next();
      if (done === true) return undefined;
      this.dirty.delete(value);
      return value;
    };
    const slice = sliceOf(next, (key) => shown.row(key, textOf(key)));
    const isMore = this.dirty.size > 0;
    this.write(`${this.feed.head("rows")},${rowsText(slice)},"more":${isMore}}\n`);
    return isMore;
  }

  /** The reader begins anew, with this plane or another. */
  end(): void {
    if (this.state === "ending" || this.state === "closed") return;
    this.state = "ending";
    const { to } = this.of;
    clearTimeout(this.cutOff);
    this.cutOff = setTimeout(() => void to.destroy(), LAST_WORD_MS);
    to.end();
  }

  private get canWrite(): boolean {
    const isOpen = this.state === "open" || this.state === "new";
    return isOpen && !this.of.to.writableNeedDrain;
  }

  /** A slice at a time, with a turn of the loop between: the plane has others to serve. */
  private sendTable(): void {
    if (this.first === undefined || !this.canWrite) return;
    try {
      this.sendSlice(this.first);
    } catch (error) {
      this.feed.fail(error);
    }
    this.goOn();
  }

  /** Never within the turn: a socket that takes all at once says so before others have theirs. */
  private goOn(): void {
    if (this.first === undefined) {
      // Changed rows are sent again: its row may have been made before.
      if (this.dirty.size > 0) this.feed.schedule();
      return;
    }
    if (this.isOnItsWay) return;
    this.isOnItsWay = true;
    inNextSlice(() => {
      this.isOnItsWay = false;
      const hasMore = this.first !== undefined;
      this.sendTable();
      return hasMore;
    });
  }

  private sendSlice(keys: Iterator<string>): void {
    const slice = sliceOf(
      () => {
        const { done, value } = keys.next();
        if (done === true) return undefined;
        this.left -= 1;
        return value;
      },
      (key) => this.of.shown.row(key, this.feed.textOf(key)),
    );
    if (this.left === 0) this.first = undefined;
    const isFirst = this.state === "new";
    this.state = "open";
    const head = this.feed.head(isFirst ? "table" : "rows");
    // A row that went before it was ever sent is none that the reader knows of.
    const rows = isFirst ? `"rows":[${slice.rows.join(",")}]` : rowsText({ ...slice, gone: [] });
    this.write(`${head},${rows},"more":${this.first !== undefined}}\n`);
  }

  private bookmark(): void {
    if (this.feed.isDeposed) this.end();
    if (!this.canWrite || this.first !== undefined) return;
    this.write(`${this.feed.head("bookmark")}}\n`);
  }

  private write(line: string): void {
    const { to, slowMs } = this.of;
    if (to.write(line)) return;
    this.cutOff ??= setTimeout(() => void to.destroy(), slowMs);
  }

  private drained(): void {
    if (this.state === "ending") return;
    clearTimeout(this.cutOff);
    this.cutOff = undefined;
    this.goOn();
  }

  private closed(): void {
    if (this.state === "closed") return;
    this.state = "closed";
    this.first = undefined;
    this.dirty.clear();
    for (const timer of this.timers) clearTimeout(timer);
    clearTimeout(this.cutOff);
    this.leave();
    this.of.onClosed();
  }
}

const rowsText = ({ rows, gone }: RowSlice): string =>
  `"rows":[${rows.join(",")}],"gone":${JSON.stringify(gone)}`;
