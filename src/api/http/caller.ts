/** Who sent a request, as far as the server believes it. */
import type { FastifyRequest } from "fastify";
import { assert } from "../../core/model/assert.ts";
import type { NodeApproval } from "../../core/model/node/node-approval.ts";
import type { Credential } from "./credential.ts";

export interface Caller {
  /**
   * `local`: the administrator, who may act under any name: the owner of the plane's own token, or
   * every user of the machine where a server has no tokens.
   */
  readonly kind: "local" | "user" | "agent" | "controller";
  /** A person or a client; for an agent, its node. */
  readonly name: string;
  /** Tells its tokens apart without giving any of them away; left out: it needed none. */
  readonly token?: string;
  /** Of an agent: what its operator has stated of its node. */
  readonly approved?: NodeApproval;
  /** By which it was known; left out: by none. */
  readonly credential?: Credential;
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
