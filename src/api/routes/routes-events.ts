/**
 * The paths of events. Most are derived from the log; clients write others.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { EventLog, type EventRecord } from "../events/event-log.ts";
import { partialEvent, showEventRecord, showEventTable } from "../events/show-event-record.ts";
import { eventSeen, seesEvent } from "../access/event-seen.ts";
import { callerOf } from "../http/caller.ts";
import { ApiError } from "../errors.ts";
import type { ApiContext } from "../http/api-context.ts";
import { EVENT_FIELDS, eventKind } from "../list/event-kind.ts";
import { type EventShape, watchEvents } from "../watch/event-watch.ts";
import { type FieldMatch, parseFieldSelector } from "../list/field-selector.ts";
import { parseLabelSelector } from "../list/label-selector.ts";
import { type Form, negotiateForm } from "../http/negotiate.ts";
import { success } from "../http/status-error.ts";
import { parseIncludeObject } from "../list/parse-showing.ts";
import { type EventWrites, eventWrites } from "./event-writes.ts";
import { eventOfVerdict } from "../events/event-of-verdict.ts";
import type { PromiseWatch } from "../../promises/promise-watch.ts";
import { addPath, objectRule } from "./routes-objects.ts";
import { jsonTexts, listPieces, sendPieces } from "../http/send-pieces.ts";
import { isTrue } from "../request/is-true.ts";
import type { WatchQuery } from "../watch/watch.ts";

type Handlers = Readonly<Partial<Record<string, EventWrites["create"]>>>;

interface Params {
  readonly namespace?: string;
  readonly name?: string;
}

export function addEventRoutes(
  app: FastifyInstance,
  context: ApiContext,
  promises: Pick<PromiseWatch, "onMove">,
): void {
  const log = new EventLog(context.plane, context.clock.nowMs());
  const stop = promises.onMove((move) => log.tell(eventOfVerdict(move, context.clock.nowMs())));
  app.addHook("preClose", async () => {
    stop();
    log.close();
  });
  const writes = eventWrites(context, log);
  const { plural } = eventKind.api;
  const access = objectRule(eventKind);
  const listOrWatch = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    log.expire(context.clock.nowMs());
    const { namespace } = request.params as Params;
    const query = request.query as WatchQuery;
    const sight = context.authorizer.sightOf(callerOf(request));
    const matchesQuery = matcherOf(namespace, query);
    const matches = (record: EventRecord): boolean =>
      seesEvent(record, sight) && matchesQuery(record);
    const shape = shapeOf(context, request);
    if (isTrue(query.watch) && request.method !== "HEAD")
      watchEvents(context, log, { reply, query, matches, shape });
    else await sendPieces(context, reply, piecesOf(context, log, { request, matches, shape }));
  };
  const getOne = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { namespace = "", name = "" } = request.params as Params;
    for (const record of log.all()) {
      if (record.meta.name !== name || record.meta.namespace !== namespace) continue;
      if (!seesEvent(record, context.authorizer.sightOf(callerOf(request)))) continue;
      await reply.send(shapeOf(context, request).one(record));
      return;
    }
    throw ApiError.worded("not-found", `events "${name}" not found`, { name, kind: "events" });
  };
  const removeMany = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { namespace } = request.params as Params;
    const matches = matcherOf(namespace, request.query as WatchQuery);
    writes.removeWhere(matches);
    await reply.send(success({ kind: plural }));
  };
  const only = (handler: typeof getOne) => (method: string) =>
    method === "GET" || method === "HEAD" ? handler : undefined;
  const scope = "/api/v1/namespaces/:namespace";
  addPath(app, `/api/v1/${plural}`, access, only(listOrWatch));
  const reading = only(listOrWatch);
  const ofMany: Handlers = { POST: writes.create, DELETE: removeMany };
  addPath(app, `${scope}/${plural}`, access, (method) => ofMany[method] ?? reading(method));
  const ofOne: Handlers = {
    GET: getOne,
    HEAD: getOne,
    PUT: writes.replace,
    PATCH: writes.patch,
    DELETE: writes.remove,
  };
  addPath(app, `${scope}/${plural}/:name`, access, (method) => ofOne[method]);
}

function matcherOf(namespace: string | undefined, query: WatchQuery): FieldMatch<EventRecord> {
  const byLabels = parseLabelSelector(query.labelSelector);
  const byFields = parseFieldSelector<EventRecord>(query.fieldSelector, EVENT_FIELDS);
  return (record) =>
    (namespace === undefined || record.meta.namespace === namespace) &&
    // Events carry no labels; a selector may ask for just that.
    byLabels({}) &&
    byFields(record);
}

/**
 * Never in pages: there are not so many. As of now, and put into words as the reader takes them.
 */
function piecesOf(
  { clock, authorizer }: ApiContext,
  log: EventLog,
  of: {
    readonly request: FastifyRequest;
    readonly matches: FieldMatch<EventRecord>;
    readonly shape: EventShape;
  },
): Iterator<string> {
  const sight = authorizer.sightOf(callerOf(of.request));
  const records = [...log.all()].filter(of.matches);
  const metadata = { resourceVersion: String(log.version) };
  const form = negotiateForm(of.request.headers.accept);
  const includeObject = parseIncludeObject(of.request);
  const rows = { metadata, includeObject, nowMs: clock.nowMs() };
  const around =
    form === "table"
      ? showEventTable([], rows)
      : { ...(form === "object" ? EVENT_LIST : PARTIAL_LIST), metadata, items: [] };
  const itemOf = (record: EventRecord): unknown =>
    form === "table"
      ? showEventTable([eventSeen(record, sight)], rows).rows[0]
      : of.shape.one(record);
  // Items and rows are the last field of their lists.
  const end = "]}";
  const head = JSON.stringify(around).slice(0, -end.length);
  return listPieces(head, jsonTexts(records, itemOf), end);
}

const EVENT_LIST = { kind: "EventList", apiVersion: "v1" } as const;
const PARTIAL_LIST = {
  kind: "PartialObjectMetadataList",
  apiVersion: "meta.k8s.io/v1",
} as const;

function shapeOf({ clock, authorizer }: ApiContext, request: FastifyRequest): EventShape {
  const sight = authorizer.sightOf(callerOf(request));
  const form: Form = negotiateForm(request.headers.accept);
  const includeObject = parseIncludeObject(request);
  return {
    form,
    one: (found) => {
      const record = eventSeen(found, sight);
      if (form === "object") return showEventRecord(record);
      if (form === "partial") return partialEvent(showEventRecord(record));
      const metadata = { resourceVersion: String(record.version) };
      return showEventTable([record], { metadata, includeObject, nowMs: clock.nowMs() });
    },
  };
}
