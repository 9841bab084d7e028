/**
 * GET on a collection. Pages of one list all show the same revision; an object that was changed or
 * deleted between two pages is shown as it was at the first.
 */
import type { FastifyReply } from "fastify";
import type { ObjectKey, Revision } from "../../core/model/ids.ts";
import type { AnyObject } from "../../core/model/objects.ts";
import { ApiError } from "../errors.ts";
import type { Handler } from "../http/handler.ts";
import type { ApiContext } from "../http/api-context.ts";
import { readContinueToken, writeContinueToken } from "./continue-token.ts";
import { parseShowing } from "./parse-showing.ts";
import { listPast } from "../routes/past-reads.ts";
import { listTime, type VersionQuery, waitUntilFresh } from "./resource-version.ts";
import { selectInTurns } from "./select-in-turns.ts";
import { select, type Selection, type SelectorQuery } from "./selection.ts";
import type { Target } from "./served-kind.ts";
import { pageItems, sendItems, sendList } from "./send-list.ts";
import type { ListMetadata, Showing } from "./show.ts";

export interface ListQuery extends VersionQuery, SelectorQuery {
  readonly sendInitialEvents?: string | undefined;
}

export const list: Handler<Target> = async (context, target, request, reply) => {
  const query = request.query as ListQuery;
  const showing = parseShowing(target.kind, request);
  if (query.sendInitialEvents !== undefined) {
    throw new ApiError("invalid-object", "sendInitialEvents is for watches only.");
  }
  const limit = parseLimit(query.limit);
  const selection = select(target, query);
  const time = listTime(query);
  const token = readContinueToken(query.continue);
  const { plane, limits } = context;
  const needed = time.kind === "exact" ? time.revision : (token?.revision ?? time.notBefore);
  await waitUntilFresh(plane, needed, limits.futureRevisionWaitMs);

  if (time.kind === "exact" && limit === 0 && time.revision < plane.revision) {
    await listPast(context, { target, showing, selection, revision: time.revision }, reply);
    return;
  }
  const exact = token?.revision ?? (time.kind === "exact" ? time.revision : undefined);
  const revision = exact ?? plane.revision;
  const all = objectsAt(context, target, revision);
  // While they are looked at, later commits may come.
  if (selection.hasSelectors && limit > 0 && limit < all.length) {
    context.lists.keep(target, revision);
  }
  const found = selection.hasSelectors
    ? await selectInTurns(all, selection.matches, limits.turnSelected)
    : all;
  const first = token === undefined ? 0 : firstAfter(found, token.after);
  if (limit === 0) {
    const metadata = { resourceVersion: String(revision) };
    await sendList(context, reply, { showing, objects: found.slice(first), metadata });
    return;
  }
  await sendPage(context, reply, { target, showing, selection, found, first, limit, revision });
};

interface Page {
  readonly target: Target;
  readonly showing: Showing;
  readonly selection: Selection;
  readonly found: readonly AnyObject[];
  readonly first: number;
  readonly limit: number;
  readonly revision: Revision;
}

/** At most as many as were asked for; fewer when they are long. */
async function sendPage(context: ApiContext, reply: FastifyReply, of: Page): Promise<void> {
  const { target, showing, selection, found, first, limit, revision } = of;
  const objects = found.slice(first, first + limit);
  // While its items are made, later commits may come.
  if (first + limit < found.length) context.lists.keep(target, revision);
  const items = await pageItems(context, { showing, objects, revision });
  const rest = found.length - first - items.length;
  const last = objects[items.length - 1];
  const metadata: ListMetadata = {
    resourceVersion: String(revision),
    ...(rest > 0 && last !== undefined
      ? { continue: writeContinueToken({ revision, after: last.key }) }
      : {}),
    ...(rest > 0 && !selection.hasSelectors ? { remainingItemCount: rest } : {}),
  };
  await sendItems(context, reply, { showing, items, metadata });
}

/** Throws when the revision is no longer kept. */
export function objectsAt(
  { lists, plane }: ApiContext,
  target: Target,
  revision: Revision,
): readonly AnyObject[] {
  const objects = lists.at(target, revision);
  if (objects !== undefined) return objects;
  throw new ApiError("expired", `Requested ${revision}, current: ${plane.revision}.`);
}

/** They are in the order of keys, so each step rules out half of the rest. */
function firstAfter(found: readonly AnyObject[], after: ObjectKey): number {
  let low = 0;
  let high = found.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const key = found[middle]?.key;
    if (key === undefined || key > after) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** 0 is everything. */
function parseLimit(text: string | undefined): number {
  if (text === undefined || text === "") return 0;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new ApiError("bad-request", `limit is "${text}"; it is a whole number, 0 or more.`);
}
