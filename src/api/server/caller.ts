/** Who sent a request, as far as the server believes it. */
import type { FastifyRequest } from "fastify";
import { assert } from "../../core/assert.ts";

export interface Caller {
  /** `local`: the server has no tokens, so it serves its own machine and knows nobody by name. */
  readonly kind: "local" | "user" | "agent" | "controller";
  /** A person or a client; for an agent, its node. */
  readonly name: string;
}

const callers = new WeakMap<FastifyRequest, Caller>();

export function setCaller(request: FastifyRequest, caller: Caller): void {
  callers.set(request, caller);
}

export function callerOf(request: FastifyRequest): Caller {
  const caller = callers.get(request);
  assert(caller !== undefined, "A request got past authentication without a caller.");
  return caller;
}
