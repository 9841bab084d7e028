/**
 * One watcher from its first line to its last: events as they come, bookmarks, a time-out, a clean
 * end.
 */
import type { ServerResponse } from "node:http";
import type { Revision } from "../../core/model/ids.ts";
import { ApiError } from "../errors.ts";
import type { ApiContext } from "../http/api-context.ts";
import type { Seen } from "../http/first-lines.ts";
import type { JoinedLines } from "../http/joined-lines.ts";
import { openWatch } from "./admit-watch.ts";
import { LineStream } from "../http/line-stream.ts";
import type { ShownEvent } from "../list/shown-event.ts";
import { statusOf } from "../http/status-error.ts";
import type { Watcher } from "./watch-hub.ts";

export interface WatchStreamOptions {
  readonly response: ServerResponse;
  readonly caller: string;
  readonly first: Iterator<Buffer>;
  readonly timeoutMs: number;
  /** Undefined for a client that did not ask for bookmarks. */
  readonly bookmark: ((at: Revision) => Buffer) | undefined;
}

/** The longest time that setTimeout can count. */
const LONGEST_MS = 2 ** 31 - 1;

/** Longer ones are handed on line by line, so that a slow reader's are counted and not copied. */
const JOINED_MOST = 256 * 1024;

export class WatchStream implements Watcher {
  readonly kind: Watcher["kind"];
  private readonly seen: Seen;
  private readonly options: WatchStreamOptions;
  private readonly lines: LineStream;
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly joined: JoinedLines;
  private readonly leave: () => void;
  /** Everything up to here was shown, or did not concern this watcher. */
  private at: Revision;

  constructor(context: ApiContext, seen: Seen, options: WatchStreamOptions) {
    const { plane, limits, hub, bounds } = context;
    this.kind = seen.target.kind.api.kind;
    this.seen = seen;
    this.options = options;
    this.at = plane.revision;
    this.joined = hub.joined;
    this.leave = hub.add(this);
    const { response } = options;
    openWatch(response);
    this.lines = new LineStream({
      response,
      limits,
      bounds: bounds.watches,
      caller: options.caller,
      first: options.first,
      tooSlow: () => tooSlow(this.at),
      onClosed: () => this.closed(),
      onBegun: () => bounds.seats.answered(response),
    });
    this.timers.push(setTimeout(() => this.end(), Math.min(options.timeoutMs, LONGEST_MS)));
    // A reader that is slow to take the first lines keeps no seat from others.
    const giveSeatBack = (): void => bounds.seats.answered(response);
    this.timers.push(setTimeout(giveSeatBack, limits.slowReaderMs));
    if (options.bookmark !== undefined) {
      this.timers.push(setInterval(() => this.mark(), limits.bookmarkEveryMs));
    }
  }

  begin(): void {
    this.lines.pump();
  }

  show(events: readonly ShownEvent[], to: Revision): void {
    const lines: Buffer[] = [];
    for (const event of events) {
      // What came before this watch began was part of its first lines.
      if (event.revision <= this.at) continue;
      const line = event.lineFor(this.seen.shape, this.seen.matches);
      if (line !== undefined) lines.push(line);
    }
    const length = lines.reduce((sum, line) => sum + line.length, 0);
    // One piece is one write; but a piece counts as taken when it is handed to the socket.
    if (length > JOINED_MOST) for (const line of lines) this.lines.send(line);
    else if (lines.length > 0) this.lines.send(this.joined.of(lines));
    if (to > this.at) this.at = to;
  }

  end(): void {
    this.mark();
    this.lines.end();
  }

  private mark(): void {
    const line = this.options.bookmark?.(this.at);
    if (line !== undefined) this.lines.send(line);
  }

  private closed(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.leave();
  }
}

function tooSlow(at: Revision): Buffer {
  const error = ApiError.worded(
    "expired",
    `The watch fell too far behind and was ended at resource version ${at}: list again.`,
  );
  return Buffer.from(`${JSON.stringify({ type: "ERROR", object: statusOf(error) })}\n`);
}
