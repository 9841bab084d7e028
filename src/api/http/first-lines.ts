/** What a watch begins with: the present objects, or the events the client missed. */
import type { Revision } from "../../core/model/ids.ts";
import type { AnyObject } from "../../core/model/objects.ts";
import { ApiError } from "../errors.ts";
import type { ApiContext } from "./api-context.ts";
import { objectsAt } from "../list/list.ts";
import type { Target } from "../list/served-kind.ts";
import { type Shape, type ShownEvent, shownEvents } from "../list/shown-event.ts";

/** What one watcher looks at, and how it is shown to it. */
export interface Seen {
  readonly target: Target;
  readonly matches: (object: AnyObject) => boolean;
  readonly shape: Shape;
}

/** Nothing to send: only the chance to let others have their turn. */
const NOTHING = Buffer.alloc(0);

/** The objects are taken now, and looked at and put into words when the reader has room. */
export function initialLines(
  context: ApiContext,
  seen: Seen,
  endMark: Buffer | undefined,
): Iterator<Buffer> {
  const { revision } = context.plane;
  const objects = objectsAt(context, seen.target, revision);
  return added(context, { seen, objects, revision, endMark });
}

function* added(
  { shown, limits, texts }: ApiContext,
  of: {
    readonly seen: Seen;
    readonly objects: readonly AnyObject[];
    readonly revision: Revision;
    readonly endMark: Buffer | undefined;
  },
): Generator<Buffer> {
  // So many objects that do not match count as one line that does, of which a turn has a bounded
  // number.
  const perLine = Math.ceil(limits.turnSelected / limits.turnItems);
  const isKept = texts.hasRoomFor(of.objects.length);
  const { shape } = of.seen;
  for (const [at, object] of of.objects.entries()) {
    if (!of.seen.matches(object)) {
      if (at % perLine === 0) yield NOTHING;
      continue;
    }
    // An object may have come to look different meanwhile. A later revision here would make a
    // client that resumes from it skip what happened to the objects that follow.
    const revision = Math.min(shown.of(object), of.revision);
    yield isKept ? shape.encodeStanding(object, revision) : shape.encode("ADDED", object, revision);
  }
  if (of.endMark !== undefined) yield of.endMark;
}

/**
 * Throws when some of the events are no longer kept.
 *
 * Everything that one commit changed has its revision. A client that was cut off among several such
 * events asks for what comes after that revision, and would never hear of the others; so they are
 * told again.
 */
export function missedLines(context: ApiContext, seen: Seen, from: Revision): Iterator<Buffer> {
  const { plane } = context;
  const commits = plane.since(from);
  if (commits === undefined) {
    throw ApiError.worded("expired", `too old resource version: ${from} (${plane.revision})`);
  }
  const { kind } = seen.target;
  const isSeen = (each: AnyObject["kind"]): boolean => each === kind.api.kind;
  const [last] = (from > 0 ? plane.since(from - 1) : undefined) ?? [];
  const again = last?.revision === from ? shownEvents([last], plane.objects, isSeen) : [];
  const events = shownEvents(commits, plane.objects, isSeen);
  return told(again.length > 1 ? [...again, ...events] : events, seen);
}

function* told(events: readonly ShownEvent[], seen: Seen): Generator<Buffer> {
  for (const event of events) {
    const line = event.lineFor(seen.shape, seen.matches);
    if (line !== undefined) yield line;
  }
}
