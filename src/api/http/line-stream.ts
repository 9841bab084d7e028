/**
 * Lines to one reader that may be slow. What the socket does not take waits here, up to a limit in
 * bytes; beyond it the stream is given up, so that one stuck reader costs a bounded amount of
 * memory.
 *
 * Lines are shared between readers: a waiting one costs a reference, its bytes are counted all the
 * same.
 */
import type { ServerResponse } from "node:http";
import { cutOffWhenSlow } from "../bounds/cut-off-when-slow.ts";
import type { Backlog, WatchBounds } from "../bounds/watch-bounds.ts";
import type { ApiLimits } from "./limits.ts";
import { inNextSlice } from "./next-slice.ts";

/** A reader that does not even take the last word is cut off after this long. */
const LAST_WORD_MS = 10_000;

export interface LineStreamOptions {
  readonly response: ServerResponse;
  readonly limits: Pick<
    ApiLimits,
    "watchBufferBytes" | "turnBytes" | "turnItems" | "turnMs" | "answerSlowMs"
  >;
  /** What all watchers together may have waiting. */
  readonly bounds: WatchBounds;
  readonly caller: string;
  /** Lines that come before all others, made only when the reader has room for them. */
  readonly first: Iterator<Buffer>;
  /** The last word to a reader that fell too far behind. */
  readonly tooSlow: () => Buffer | undefined;
  readonly onClosed: () => void;
  /** The first lines are made. */
  readonly onBegun?: () => void;
}

export class LineStream {
  private readonly options: LineStreamOptions;
  private first: Iterator<Buffer> | undefined;
  private waiting: Buffer[] = [];
  private waitingBytes = 0;
  private state: "open" | "ending" | "closed" = "open";
  private readonly backlog: Backlog;
  /** First lines that were made in this turn of the event loop. */
  private turnLines = 0;
  private turnBytes = 0;
  private turnSinceMs = 0;

  constructor(options: LineStreamOptions) {
    this.options = options;
    this.first = options.first;
    this.backlog = { caller: options.caller, giveUp: () => this.giveUp() };
    const { response } = options;
    cutOffWhenSlow(response, options.limits.answerSlowMs);
    response.on("drain", () => this.pump());
    response.on("close", () => this.closed());
    // A reader that goes away in the middle of a line is no fault of ours.
    response.on("error", () => this.closed());
    // It may have gone while the request was being looked at, before anybody listened.
    if (response.destroyed) queueMicrotask(() => this.closed());
  }

  get isOpen(): boolean {
    return this.state === "open";
  }

  send(line: Buffer): void {
    if (this.state !== "open") return;
    this.waiting.push(line);
    this.waitingBytes += line.length;
    this.pump();
    if (this.waitingBytes > this.options.limits.watchBufferBytes) this.giveUp();
    else this.options.bounds.note(this.backlog, this.waitingBytes);
  }

  /** Sends what is waiting and closes cleanly. */
  end(): void {
    if (this.state !== "open") return;
    this.state = "ending";
    const cutOff = setTimeout(() => this.options.response.destroy(), LAST_WORD_MS);
    this.options.response.on("close", () => clearTimeout(cutOff));
    this.pump();
  }

  /** Hands lines on while the socket takes them. Call once after construction to begin. */
  pump(): void {
    const { response } = this.options;
    while (this.state !== "closed" && !response.writableNeedDrain && !this.isTurnOver) {
      const line = this.next();
      if (line === undefined) break;
      if (line.length > 0) response.write(line);
    }
    this.options.bounds.note(this.backlog, this.waitingBytes);
    if (this.state === "ending" && this.first === undefined && this.waiting.length === 0) {
      response.end();
    }
  }

  private get isTurnOver(): boolean {
    if (this.turnLines === 0) return false;
    const { turnBytes, turnItems, turnMs } = this.options.limits;
    if (this.turnLines >= turnItems || this.turnBytes >= turnBytes) return true;
    return performance.now() - this.turnSinceMs >= turnMs;
  }

  /**
   * A socket that takes everything at once would have all first lines made in one go: others get
   * their turn.
   */
  private countFirst(line: Buffer): void {
    if (this.turnLines === 0) {
      this.turnSinceMs = performance.now();
      inNextSlice(() => {
        this.turnLines = 0;
        this.turnBytes = 0;
        const hasMore = this.first !== undefined;
        this.pump();
        return hasMore;
      });
    }
    this.turnLines += 1;
    this.turnBytes += line.length;
  }

  private next(): Buffer | undefined {
    if (this.first !== undefined) {
      const made = this.first.next();
      if (made.done !== true) {
        this.countFirst(made.value);
        return made.value;
      }
      this.first = undefined;
      this.options.onBegun?.();
    }
    const line = this.waiting.shift();
    if (line !== undefined) this.waitingBytes -= line.length;
    return line;
  }

  private giveUp(): void {
    if (this.state !== "open") {
      this.options.response.destroy();
      return;
    }
    const last = this.options.tooSlow();
    this.first = undefined;
    this.waiting = last === undefined ? [] : [last];
    this.waitingBytes = 0;
    this.options.bounds.note(this.backlog, 0);
    this.end();
  }

  private closed(): void {
    if (this.state === "closed") return;
    this.state = "closed";
    this.first = undefined;
    this.waiting = [];
    this.waitingBytes = 0;
    this.options.bounds.note(this.backlog, 0);
    this.options.onClosed();
  }
}
