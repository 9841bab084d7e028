/** Whether one more watch may begin: of all callers together, and of this one. Agents' streams are not among them. */
import type { FastifyReply } from "fastify";
import { callerKey } from "../bounds/caller-key.ts";
import { ApiError } from "../errors.ts";
import type { ApiContext } from "../http/api-context.ts";

/** Throws when it may not; counts it until its reader is gone. */
export function admitWatch({ hub, limits, bounds }: ApiContext, reply: FastifyReply): void {
  if (hub.size >= limits.watchers) {
    throw new ApiError(
      "too-many-requests",
      `The server already serves ${limits.watchers} watches.`,
      {
        retryAfterSeconds: 1,
      },
    );
  }
  bounds.watches.enter(callerKey(reply.request), reply.raw);
}
