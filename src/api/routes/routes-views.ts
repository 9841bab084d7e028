/**
 * Tables that people watch: the fleet, the workloads, what waits, and the quotas. The dashboard
 * reads these.
 */
import type { FastifyInstance, FastifyReply } from "fastify";
import type { PlanePort } from "../../host/plane-port.ts";
import { rowsSeen } from "../access/rows-seen.ts";
import { callerOf } from "../http/caller.ts";
import { ApiError } from "../errors.ts";
import type { DecisionHistory } from "../explain/decision-history.ts";
import { FleetView } from "../views/fleet-view.ts";
import { QueueView } from "../views/queue-view.ts";
import { QuotaView } from "../views/quota-view.ts";
import { readView } from "../views/read-view.ts";
import type { View } from "../views/view.ts";
import { ViewFeed } from "../views/view-feed.ts";
import { VIEW_NAMES, type ViewName } from "../views/view-rows.ts";
import { ViewStream } from "../views/view-stream.ts";
import { WorkloadsView } from "../views/workloads-view.ts";
import { admitWatch, openWatch } from "../watch/admit-watch.ts";
import type { ApiContext } from "../http/api-context.ts";
import { listPieces, sendPieces } from "../http/send-pieces.ts";
import { isTrue } from "../request/is-true.ts";
import type { WatchQuery } from "../watch/watch.ts";
import { asks, type RouteRule } from "../access/route-rule.ts";

const OWN_ROWS: RouteRule = { kind: "filtered", by: "the object of each row" };
const NO_VIEW: RouteRule = { kind: "authenticated", why: "It tells which views there are." };

/** Views of objects alone, which every plane answers from what it has followed. */
const ANYWHERE: ReadonlySet<ViewName> = new Set(["fleet", "quota"]);

export function addViewRoutes(
  app: FastifyInstance,
  context: ApiContext,
  history: DecisionHistory,
): void {
  const { plane, clock, limits, log } = context;
  for (const name of VIEW_NAMES) {
    const feed = new ViewFeed({
      name,
      plane,
      clock,
      create: () => createView(name, plane, history),
      needsLead: !ANYWHERE.has(name),
      everyMs: limits.viewEveryMs,
      onFailure: (err) =>
        log.error({ err }, `Ended watches of the view ${name}: failed to render a row.`),
    });
    // A path of its own for each, because another plane is asked for some of them.
    app.get(`/views/${name}`, asks(OWN_ROWS), async (request, reply) => {
      const { watch, key } = request.query as WatchQuery & { readonly key?: string };
      if (isTrue(watch)) {
        watchView(context, { feed, only: key }, reply);
        return;
      }
      const shown = rowsSeen(name, context.authorizer.sightOf(callerOf(request)));
      const { head, rows } = await readView(feed, shown, key);
      await sendPieces(context, reply, listPieces(head, rows, "]}"));
    });
  }
  app.get("/views/:view", asks(NO_VIEW), (request) => {
    const { view } = request.params as { readonly view: string };
    const known = VIEW_NAMES.join(", ");
    throw ApiError.worded(
      "not-found",
      `There is no view "${view.slice(0, 64)}"; there are: ${known}`,
    );
  });
}

function createView(name: ViewName, plane: PlanePort, history: DecisionHistory): View {
  switch (name) {
    case "fleet":
      return new FleetView(plane);
    case "workloads":
      return new WorkloadsView(plane);
    case "queue":
      return new QueueView(plane, history);
    case "quota":
      return new QuotaView(plane);
  }
}

function watchView(
  context: ApiContext,
  { feed, only }: { readonly feed: ViewFeed; readonly only: string | undefined },
  reply: FastifyReply,
): void {
  const { hub, limits, bounds, authorizer } = context;
  admitWatch(context, reply);
  reply.hijack();
  const { raw: response } = reply;
  openWatch(response);
  bounds.seats.answered(response);
  const sight = authorizer.sightOf(callerOf(reply.request));
  const stream = new ViewStream(feed, {
    to: response,
    only,
    shown: rowsSeen(feed.of.name, sight),
    slowMs: limits.viewSlowMs,
    bookmarkEveryMs: limits.bookmarkEveryMs,
    timeoutMs: limits.watchTimeoutMs,
    onClosed: () => leave(),
  });
  // Counted with the other watchers, and ended with them.
  const end = (): void => stream.end();
  const leave = hub.addReader({ read: () => {}, end });
  context.openReads.add(response, { isStill: () => !sight.hasChanged(), end });
}
