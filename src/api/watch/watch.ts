/**
 * GET with `watch`: lines of JSON, one event each, from a revision on, none lost and none repeated.
 * A client whose revision is no longer kept is told to list again, before the stream begins or
 * within it.
 */
import type { Revision } from "../../core/model/ids.ts";
import { callerKey } from "../bounds/caller-key.ts";
import { ApiError } from "../errors.ts";
import { admitWatch } from "./admit-watch.ts";
import type { Handler } from "../http/handler.ts";
import { initialLines, missedLines } from "../http/first-lines.ts";
import type { ListQuery } from "../list/list.ts";
import { parseShowing } from "../list/parse-showing.ts";
import { parseResourceVersion, waitUntilFresh } from "../list/resource-version.ts";
import { select } from "../list/selection.ts";
import type { Target } from "../list/served-kind.ts";
import { shapeOf, showBookmark } from "../list/show-event.ts";
import { isTrue } from "../request/is-true.ts";
import { WatchStream } from "./watch-stream.ts";

export interface WatchQuery extends ListQuery {
  readonly watch?: string | undefined;
  readonly timeoutSeconds?: string | undefined;
  readonly allowWatchBookmarks?: string | undefined;
}

export const watch: Handler<Target> = async (context, target, request, reply) => {
  const query = request.query as WatchQuery;
  const start = parseStart(query);
  const showing = parseShowing(target.kind, request);
  const { matches } = select(target, query);
  const timeoutMs = parseTimeout(query.timeoutSeconds, context.limits.watchTimeoutMs);
  const { plane, limits } = context;
  const asked = parseResourceVersion(query.resourceVersion);
  await waitUntilFresh(plane, asked, limits.futureRevisionWaitMs);
  admitWatch(context, reply);
  // From here on nothing waits: the list and the later events join without a gap.
  const seen = { target, matches, shape: shapeOf(context, showing) };
  const endMark = start.marksEnd ? showBookmark(showing, plane.revision, "initial-end") : undefined;
  const first = start.isWithObjects
    ? initialLines(context, seen, endMark)
    : missedLines(context, seen, start.from ?? plane.revision);
  reply.hijack();
  const stream = new WatchStream(context, seen, {
    response: reply.raw,
    caller: callerKey(request),
    first,
    timeoutMs,
    bookmark: start.wantsBookmarks ? (at) => showBookmark(showing, at) : undefined,
  });
  stream.begin();
};

interface Start {
  /** Events after this revision; undefined to begin with the present. */
  readonly from: Revision | undefined;
  /** Whether the present objects come first, as ADDED. */
  readonly isWithObjects: boolean;
  readonly wantsBookmarks: boolean;
  /** Whether the end of the present objects is marked. */
  readonly marksEnd: boolean;
}

export function parseStart(query: WatchQuery): Start {
  const wantsBookmarks = isTrue(query.allowWatchBookmarks);
  const revision = parseResourceVersion(query.resourceVersion);
  const match = query.resourceVersionMatch ?? "";
  if (query.sendInitialEvents === undefined) {
    if (match !== "") {
      throw new ApiError(
        "invalid-object",
        "resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided.",
      );
    }
    const isFromNow = revision === undefined || revision === 0;
    return {
      from: isFromNow ? undefined : revision,
      isWithObjects: isFromNow,
      wantsBookmarks,
      marksEnd: false,
    };
  }
  if (match !== "NotOlderThan") {
    throw new ApiError(
      "invalid-object",
      "resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan.",
    );
  }
  const isWithObjects = isTrue(query.sendInitialEvents);
  return {
    from: revision === 0 ? undefined : revision,
    isWithObjects,
    wantsBookmarks,
    marksEnd: isWithObjects && wantsBookmarks,
  };
}

export function parseTimeout(text: string | undefined, byDefaultMs: number): number {
  if (text === undefined || text === "" || text === "0") {
    // Streams that began together must not all come back together.
    return byDefaultMs * (1 + Math.random());
  }
  if (!/^\d{1,7}$/.test(text)) {
    throw new ApiError("bad-request", `timeoutSeconds is "${text}"; it is a whole number.`);
  }
  return Number(text) * 1_000;
}
