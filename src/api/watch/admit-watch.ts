/**
 * How a watch begins: whether one more may, of all callers together and of this one, and its
 * headers.
 */
import type { ServerResponse } from "node:http";
import type { FastifyReply } from "fastify";
import { callerKey } from "../bounds/caller-key.ts";
import { ApiError } from "../errors.ts";
import type { ApiContext } from "../http/api-context.ts";
import { checkStreams } from "../http/negotiate.ts";

/** Throws when it may not; counts it until its reader is gone. */
export function admitWatch({ hub, limits, bounds, plane }: ApiContext, reply: FastifyReply): void {
  checkStreams(reply.request.headers.accept);
  if (hub.size >= limits.watchers) {
    throw new ApiError(
      "too-many-requests",
      `The server already serves ${limits.watchers} watches.`,
      {
        retryAfterSeconds: 1,
      },
    );
  }
  const { namespace } = reply.request.params as { readonly namespace?: string };
  const most = plane.objects.quotaUsage.of(namespace ?? "").spec?.counts?.watches;
  const tenant = namespace === undefined || most === undefined ? undefined : { namespace, most };
  bounds.watches.enter(callerKey(reply.request), reply.raw, tenant);
}

/**
 * The headers alone tell the client that the watch has begun, however long nothing happens. From
 * here on it holds no seat, only its place among the watches.
 */
export function openWatch(response: ServerResponse): void {
  response.writeHead(200, {
    "Content-Type": "application/json",
    "Cache-Control": "no-cache, private",
  });
  response.flushHeaders();
}
