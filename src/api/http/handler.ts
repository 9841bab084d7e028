/** What answers a request for one object (a `NamedTarget`) or for a collection (a `Target`). */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ApiContext } from "./api-context.ts";

export type Handler<T> = (
  context: ApiContext,
  target: T,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<void>;
