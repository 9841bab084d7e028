/** Opens the server's socket. A server without tokens does not listen where others can reach it. */
import type { FastifyInstance } from "fastify";
import { type GivenAuth, isLoopback } from "./authenticate.ts";

/**
 * Connections that may wait until the server has a moment for them; the system may allow fewer.
 * Every agent comes back at once after a restart, and one that finds no place here tries again only
 * seconds later, when its lease may be over.
 */
const BACKLOG = 4_096;

export interface ListenOptions {
  readonly host?: string;
  /** 0 picks a free one. */
  readonly port: number;
  readonly auth?: GivenAuth;
}

/** The address it can be reached at. Rejects with what to do when the host may not be used. */
export async function listen(
  app: FastifyInstance,
  { host = "127.0.0.1", port, auth }: ListenOptions,
): Promise<string> {
  if (auth === undefined && !isLoopback(host)) {
    throw new Error(
      `Cannot listen on ${host} without tokens: any client that reaches it would have full access. Configure tokens, or listen on 127.0.0.1.`,
    );
  }
  return app.listen({ host, port, backlog: BACKLOG });
}
