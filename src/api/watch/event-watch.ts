/**
 * A watch of events. A client that comes back is told what has changed since, each event once and
 * as it is now; one that has missed the end of an event lists again.
 */
import type { FastifyReply } from "fastify";
import { callerKey } from "../bounds/caller-key.ts";
import { ApiError } from "../errors.ts";
import type { EventChange, EventLog, EventRecord } from "../events/event-log.ts";
import type { ApiContext } from "../http/api-context.ts";
import { admitWatch, openWatch } from "./admit-watch.ts";
import { LineStream } from "../http/line-stream.ts";
import { eventKind } from "../list/event-kind.ts";
import type { FieldMatch } from "../list/field-selector.ts";
import type { Form } from "../http/negotiate.ts";
import { eventLine, showBookmark } from "../list/show-event.ts";
import { parseStart, parseTimeout, type WatchQuery } from "./watch.ts";

/** How one client wants to be shown events. */
export interface EventShape {
  readonly form: Form;
  readonly one: (record: EventRecord) => unknown;
}

export interface EventWatch {
  readonly reply: FastifyReply;
  readonly query: WatchQuery;
  readonly matches: FieldMatch<EventRecord>;
  readonly shape: EventShape;
}

export function watchEvents(context: ApiContext, log: EventLog, watch: EventWatch): void {
  const { limits, hub, bounds } = context;
  const { reply, query, matches, shape } = watch;
  const start = parseStart(query);
  const timeoutMs = parseTimeout(query.timeoutSeconds, limits.watchTimeoutMs);
  const known = start.isWithObjects ? [...log.all()] : log.since(start.from ?? log.version);
  if (known === undefined) {
    throw ApiError.worded("expired", `too old resource version: ${start.from} (${log.version})`);
  }
  admitWatch(context, reply);
  const bookmark = (what?: "initial-end"): Buffer =>
    showBookmark({ kind: eventKind, form: shape.form, includeObject: "None" }, log.version, what);
  const from = start.isWithObjects ? 0 : (start.from ?? log.version);
  const first = known
    .filter(matches)
    .map((record) => eventLine(record.born > from ? "ADDED" : "MODIFIED", shape.one(record)));
  if (start.marksEnd) first.push(bookmark("initial-end"));
  reply.hijack();
  const { raw: response } = reply;
  openWatch(response);
  bounds.seats.answered(response);
  const lines = new LineStream({
    response,
    limits,
    bounds: bounds.watches,
    caller: callerKey(reply.request),
    first: first.values(),
    // The client comes back with the version it has, and is told there whether it must list again.
    tooSlow: () => undefined,
    onClosed: () => {
      clearTimeout(timeout);
      clearInterval(bookmarks);
      stop();
      leave();
    },
  });
  const end = (): void => {
    if (start.wantsBookmarks) lines.send(bookmark());
    lines.end();
  };
  const stop = log.onChange(later(lines, watch));
  // Counted with the other watchers, and ended with them.
  const leave = hub.addReader({ read: () => {}, end });
  const timeout = setTimeout(end, timeoutMs);
  const bookmarks = start.wantsBookmarks
    ? setInterval(() => lines.send(bookmark()), limits.bookmarkEveryMs)
    : undefined;
  lines.pump();
}

/** The log changes in the middle of the plane's turn; words are found for it once that is over. */
function later(lines: LineStream, { matches, shape }: EventWatch): EventChange {
  let pending: Parameters<EventChange>[] = [];
  const flush = (): void => {
    const changes = pending;
    pending = [];
    for (const [type, record] of changes) lines.send(eventLine(type, shape.one(record)));
  };
  return (type, record) => {
    if (!matches(record)) return;
    if (pending.length === 0) setImmediate(flush);
    pending.push([type, record]);
  };
}
