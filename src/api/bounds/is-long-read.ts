/** Whether a request reads so much that only some of its kind may be under way at once. */
import type { FastifyRequest } from "fastify";
import { LOG_PATHS } from "../routes/routes-logs.ts";
import { WEB_ROUTES } from "../routes/routes-web.ts";
import { isTrue } from "../request/is-true.ts";
import type { WatchQuery } from "../watch/watch.ts";

/**
 * Answered from what is at hand; streams and logs have bounds of their own, and an agent's list is
 * its own node's.
 */
const SHORT = /^\/(?:healthz|livez|readyz|version|whoami|metrics|shares|operations|stream)(?:\/|$)/;
/** One object, and what belongs to it. */
const ONE_OBJECT = /\/:name(?:\/(?:status|scale))?$/;

export function isLongRead({ method, query, routeOptions: { url } }: FastifyRequest): boolean {
  if ((method !== "GET" && method !== "HEAD") || url === undefined) return false;
  if (SHORT.test(url) || WEB_ROUTES.has(url) || LOG_PATHS.has(url)) return false;
  const isStream = method === "GET" && isTrue((query as WatchQuery).watch);
  return !ONE_OBJECT.test(url) && !isStream;
}
