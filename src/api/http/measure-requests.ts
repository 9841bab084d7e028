/** Counts the answers of a server and how long they took, for its metrics. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { isTrue } from "../request/is-true.ts";
import { VERIFY_PATH } from "../routes/routes-audit-chain.ts";
import { BACKUP_PATH } from "../routes/routes-backup.ts";
import { LOG_PATHS } from "../routes/routes-logs.ts";
import { upgradeOf } from "../sessions/accept-upgrades.ts";
import type { WatchQuery } from "../watch/watch.ts";
import type { ApiMetrics } from "./metrics.ts";

export function measureRequests(app: FastifyInstance, metrics: ApiMetrics): void {
  app.addHook("onResponse", (request, reply, done) => {
    metrics.observe({
      method: request.method,
      route: request.routeOptions.url ?? "(none)",
      status: reply.statusCode,
      // A stream lasts as long as its reader likes, which says nothing about the server.
      seconds: isStream(request) ? undefined : reply.elapsedTime / 1_000,
    });
    done();
  });
}

const isStream = (request: FastifyRequest): boolean =>
  upgradeOf(request) !== undefined || isLong(request);

const isLong = ({ url, query, routeOptions }: FastifyRequest): boolean =>
  url.startsWith("/stream/watch") ||
  LOG_PATHS.has(routeOptions.url ?? "") ||
  routeOptions.url === BACKUP_PATH ||
  routeOptions.url === VERIFY_PATH ||
  isTrue((query as WatchQuery).watch);
