/**
 * Reads of what was: a list or an object at an exact revision, from the commits in memory or from
 * the store. What is shown of others, such as how many replicas of a workload served, is what it
 * was then, too.
 */
import type { FastifyReply } from "fastify";
import type { Kind, Revision } from "../../core/model/ids.ts";
import type { AnyObject } from "../../core/model/objects.ts";
import type { PlanePort } from "../../host/plane-port.ts";
import { type PastState, pastState } from "../../host/past-state.ts";
import { ApiError } from "../errors.ts";
import { SHOWS_OTHERS } from "../watch/affected-by.ts";
import type { ApiContext } from "../http/api-context.ts";
import { selectInTurns } from "../list/select-in-turns.ts";
import type { Selection } from "../list/selection.ts";
import {
  type NamedTarget,
  objectsOf,
  type ServedKind,
  targetKey,
  type Target,
} from "../list/served-kind.ts";
import { sendList } from "../list/send-list.ts";
import { showObject, showOne, type Showing } from "../list/show.ts";
import type { Texts } from "../list/shown-texts.ts";
import { SortedObjects } from "../list/sorted-objects.ts";
import { notFound } from "../http/status-error.ts";

/**
 * A comparison has two sides; more are hardly looked at at once, and each is a copy of everything.
 */
const STATES_KEPT = 2;
/** Long enough for several kinds to be listed one after the other. */
const STATES_KEPT_MS = 30_000;
const kept = new WeakMap<PlanePort, Map<Revision, Promise<PastState>>>();

export async function listPast(
  context: ApiContext,
  of: {
    readonly target: Target;
    readonly showing: Showing;
    readonly selection: Selection;
    readonly revision: Revision;
  },
  reply: FastifyReply,
): Promise<void> {
  const { target, showing, selection, revision } = of;
  const { objects } = await stateFor(context.plane, target.kind, revision);
  const all = new SortedObjects(objectsOf(target.kind, objects)).sorted();
  const found = await selectInTurns(all, selection.matches, context.limits.turnSelected);
  const metadata = { resourceVersion: String(revision) };
  await sendList(then(context, objects, revision), reply, { showing, objects: found, metadata });
}

export async function getPast(
  context: ApiContext,
  of: {
    readonly target: NamedTarget;
    readonly showing: Showing;
    readonly revision: Revision;
  },
  reply: FastifyReply,
): Promise<void> {
  const { target, showing, revision } = of;
  const { objects } = await stateFor(context.plane, target.kind, revision);
  const held = objectsOf(target.kind, objects).get(targetKey(target));
  if (held === undefined) throw notFound(target);
  const at = held.meta.revision;
  await reply.send(showOne(then(context, objects, revision), showing, held, at));
}

/** Throws when something of the kind is not known any more. */
async function stateFor(
  plane: PlanePort,
  kind: ServedKind,
  revision: Revision,
): Promise<PastState> {
  const state = await stateAt(plane, revision);
  const needed: readonly Kind[] = SHOWS_OTHERS.has(kind.api.kind)
    ? [kind.api.kind, "Replica", "Reservation"]
    : [kind.api.kind];
  const oldest = Math.max(...needed.map((each) => state.unknown.get(each) ?? 0));
  if (oldest === 0) return state;
  throw new ApiError(
    "expired",
    `Requested ${revision}; the oldest known revision of ${kind.api.plural} is ${oldest}.`,
  );
}

/** Everything as it was at a revision, and which kinds are not known. */
export function stateAt(plane: PlanePort, revision: Revision): Promise<PastState> {
  const states = kept.get(plane) ?? new Map<Revision, Promise<PastState>>();
  kept.set(plane, states);
  const known = states.get(revision);
  if (known !== undefined) return known;
  const made = pastState(plane, revision);
  states.set(revision, made);
  made.catch(() => states.delete(revision));
  setTimeout(() => states.delete(revision), STATES_KEPT_MS).unref();
  for (const oldest of states.keys()) {
    if (states.size <= STATES_KEPT) break;
    states.delete(oldest);
  }
  return made;
}

/** To show objects of these kinds as they were, all else is needed as it was. */
export async function contextAt(context: ApiContext, revision: Revision): Promise<ApiContext> {
  if (revision >= context.plane.revision) return context;
  return then(context, (await stateAt(context.plane, revision)).objects, revision);
}

/** Everything that is shown out of the plane is shown out of what was. */
function then(context: ApiContext, objects: PastState["objects"], revision: Revision): ApiContext {
  const plane = Object.create(context.plane, {
    objects: { value: objects },
    revision: { value: revision },
  }) as PlanePort;
  const { veil } = context;
  const shown = { of: ({ meta }: AnyObject) => meta.revision } as ApiContext["shown"];
  // Texts made here are not shared: the present looks different.
  const once: Texts["once"] = (kind, object) =>
    JSON.stringify(showObject({ plane, shown, veil }, kind, object));
  const texts: Texts = { of: once, once, known: () => undefined, hasRoomFor: () => false };
  return { ...context, plane, shown, texts };
}
