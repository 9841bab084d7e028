/**
 * The log as a way back in time: which revision a moment was, and what is different between two of
 * them.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Kind, parseKey, type Revision } from "../../core/model/ids.ts";
import type { AnyObject } from "../../core/model/objects.ts";
import type { PlanePort } from "../../host/plane-port.ts";
import { ApiError } from "../errors.ts";
import {
  type Difference,
  differenceInMemory,
  differenceOfStates,
  type Wanted,
} from "../explain/difference.ts";
import { rfc3339Millis } from "../rfc3339.ts";
import { SHOWS_OTHERS } from "../watch/affected-by.ts";
import type { ApiContext } from "../http/api-context.ts";
import { callerOf } from "../http/caller.ts";
import { momentOf, type MomentQuery } from "../http/moment.ts";
import { contextAt, stateAt } from "./past-reads.ts";
import { jsonTexts, listPieces, sendPieces } from "../http/send-pieces.ts";
import { OBJECT_KINDS } from "../list/served-kinds.ts";
import { showObject } from "../list/show.ts";
import { seenBy } from "../access/seen-by.ts";
import { asks, type RouteRule } from "../access/route-rule.ts";

const TIMES: RouteRule = { kind: "authenticated", why: "Revisions and times tell of no object." };
const OWN_DIFFERENCES: RouteRule = { kind: "filtered", by: "each object of it" };

interface DiffQuery {
  readonly from?: string;
  readonly to?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** More than anybody reads, and some megabytes. */
const SHOWN = 1_000;

export function addPastRoutes(app: FastifyInstance, context: ApiContext): void {
  app.get("/revisions", asks(TIMES), (request) =>
    answerRevision(context, request.query as MomentQuery),
  );
  app.get("/diff", asks(OWN_DIFFERENCES), (request, reply) => answerDiff(context, request, reply));
}

async function answerRevision({ plane, clock }: ApiContext, query: MomentQuery) {
  const revision = (await momentOf(plane, query, clock.nowMs())) ?? plane.revision;
  const atMs = plane.past.commit(revision)?.atMs;
  return { revision, ...(atMs === undefined ? {} : { time: rfc3339Millis(atMs) }) };
}

async function answerDiff(
  context: ApiContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { plane, clock, authorizer } = context;
  const query = request.query as DiffQuery;
  const caller = callerOf(request);
  const sight = authorizer.sightOf(caller);
  const seen = seenBy(context, caller);
  const nowMs = clock.nowMs();
  const from = await sideOf(plane, "from", query.from, nowMs);
  const to = (query.to ?? "") === "" ? plane.revision : await sideOf(plane, "to", query.to, nowMs);
  if (from > to) {
    throw new ApiError("bad-request", `from is revision ${from}, which is after to, ${to}.`);
  }
  const found = await differences(plane, { from, to }, wantedOf(query));
  const all = found.filter(({ key }) => sight.seesKey(key));
  const shown = all.slice(0, SHOWN);
  // A workload shows its replicas: of both moments everything is needed, which is not made for
  // less.
  const showsOthers = shown.some(({ key }) => SHOWS_OTHERS.has(parseKey(key).kind));
  const [earlier, later] = showsOthers
    ? [await contextAt(seen, from), await contextAt(seen, to)]
    : [seen, seen];
  const head = JSON.stringify({ from, to, leftOff: all.length - shown.length });
  const items = jsonTexts(shown, (each) => showDifference(each, { earlier, later }));
  await sendPieces(context, reply, listPieces(`${head.slice(0, -1)},"items":[`, items, "]}"));
}

function wantedOf({ kind, namespace, name }: DiffQuery): Wanted {
  const known = OBJECT_KINDS.find((each) => each.name === kind);
  if (kind !== undefined && known === undefined) {
    throw new ApiError(
      "bad-request",
      `kind is "${kind}"; there are ${OBJECT_KINDS.map((each) => each.name).join(", ")}.`,
    );
  }
  return {
    ...(known === undefined ? {} : { kind: known.api.kind }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
  };
}

/** A revision, or a time. */
async function sideOf(
  plane: PlanePort,
  side: "from" | "to",
  text: string | undefined,
  nowMs: number,
): Promise<Revision> {
  const asked = text ?? "";
  const query = /^\d+$/.test(asked) ? { revision: asked } : { at: asked };
  const revision = await momentOf(plane, query, nowMs);
  if (revision !== undefined) return revision;
  throw new ApiError("bad-request", `/diff wants ?${side}=REVISION or ?${side}=TIME; found none.`);
}

async function differences(
  plane: PlanePort,
  { from, to }: { readonly from: Revision; readonly to: Revision },
  wanted: Wanted,
): Promise<readonly Difference[]> {
  if (from >= plane.past.start) return differenceInMemory(plane, { from, to }, wanted);
  const [before, after] = [await stateAt(plane, from), await stateAt(plane, to)];
  const unknown = [...before.unknown, ...after.unknown].filter(
    ([kind]: readonly [Kind, Revision]) =>
      wanted.kind === undefined ? kind !== "Lease" : kind === wanted.kind,
  );
  const oldest = Math.max(0, ...unknown.map(([, revision]) => revision));
  if (oldest === 0) return differenceOfStates(before.objects, after.objects, wanted);
  throw new ApiError("expired", `Requested ${from}; the oldest fully known revision is ${oldest}.`);
}

function showDifference(
  { key, before, after }: Difference,
  { earlier, later }: { readonly earlier: ApiContext; readonly later: ApiContext },
) {
  const some = (after ?? before) as AnyObject;
  const kind = OBJECT_KINDS.find((each) => each.name === some.kind);
  const show = (context: ApiContext, object: AnyObject | undefined) =>
    object === undefined || kind === undefined
      ? undefined
      : showObject(context, kind, object, object.meta.revision);
  return {
    key,
    kind: some.kind,
    ...(some.meta.namespace === "" ? {} : { namespace: some.meta.namespace }),
    name: some.meta.name,
    change: before === undefined ? "added" : after === undefined ? "removed" : "changed",
    before: show(earlier, before),
    after: show(later, after),
  };
}
