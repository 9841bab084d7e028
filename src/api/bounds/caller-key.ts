/** Under which name a caller's use of the server is counted. */
import type { FastifyRequest } from "fastify";
import { type Caller, callerOf, isAnonymous } from "../http/caller.ts";

/**
 * A caller of the plane's own machine may give any name, and requests without a token have none:
 * neither splits a bound.
 */
export function callerKey(request: FastifyRequest): string {
  const caller = callerOf(request);
  const { kind, name } = caller;
  // Without tokens nothing but its connection tells one agent of this machine from the next.
  if (kind === "local" && isAgentsWay(request)) {
    return `local agent ${request.raw.socket.remotePort}`;
  }
  if (kind === "local") return "local";
  return isAnonymous(caller) ? `address ${request.ip}` : `${kind} ${name}`;
}

/** What agents and remote controllers send: leases must come through whatever users do. */
const AGENTS_WAY = /^\/(?:commands|stream|metrics-samples)(?:[/?]|$)/;

export const isAgentsWay = ({ url }: Pick<FastifyRequest, "url">): boolean => AGENTS_WAY.test(url);

const AGENT_KINDS: ReadonlySet<Caller["kind"]> = new Set(["agent", "controller"]);

/** Whether users' requests never keep this one out. */
export const isReservedCaller = (request: FastifyRequest): boolean =>
  AGENT_KINDS.has(callerOf(request).kind) ||
  (callerOf(request).kind === "local" && isAgentsWay(request));
