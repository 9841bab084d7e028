/** Opens the server's socket. A server without tokens does not listen where others can reach it. */
import type { FastifyInstance } from "fastify";
import { type ApiAuth, isLoopback } from "./authenticate.ts";

export interface ListenOptions {
  readonly host?: string;
  /** 0 picks a free one. */
  readonly port: number;
  readonly auth?: ApiAuth;
}

/** The address it can be reached at. Rejects with what to do when the host may not be used. */
export async function listen(
  app: FastifyInstance,
  { host = "127.0.0.1", port, auth }: ListenOptions,
): Promise<string> {
  if (auth === undefined && !isLoopback(host)) {
    throw new Error(
      `Cannot listen on ${host} without tokens: everybody there could change everything. Configure tokens, or listen on 127.0.0.1.`,
    );
  }
  return app.listen({ host, port });
}
