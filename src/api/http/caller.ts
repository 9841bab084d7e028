/** Who sent a request, as far as the server believes it. */
import type { FastifyRequest } from "fastify";
import { assert } from "../../core/model/assert.ts";
import type { NodeApproval } from "../../core/model/node/node-approval.ts";
import type { Credential } from "./credential.ts";

/** What a bootstrap token is good for. */
export interface Joins {
  /** How many nodes it lets in. */
  readonly uses: number;
  /** Only nodes that this pool has made; left out: the node that the caller is named for. */
  readonly pool?: string;
}

export interface Caller {
  /**
   * `local`: the administrator, who may act under any name: the owner of the plane's own token, or
   * every user of the machine where a server has no tokens.
   */
  readonly kind: "local" | "user" | "agent" | "controller";
  /** A person or a client; for an agent, its node. */
  readonly name: string;
  /** Those that its credential states; `subject-of.ts` adds those that follow from its kind. */
  readonly groups: readonly string[];
  /** Which kind of proof it gave; left out: none was needed. */
  readonly how?: "token" | "jwt" | "certificate" | "workload";
  /**
   * Which proof it was, as the audit names it: eight digits of a token's hash, a serial of a
   * certificate, the id of a JWT. Never the proof itself.
   */
  readonly credentialId?: string;
  /** From where it asked; left out: from the plane's own machine. */
  readonly address?: string;
  /** Of an agent: what its operator has stated of its node. */
  readonly approved?: NodeApproval;
  /** Of a bootstrap token, with the hash by which its uses are counted. */
  readonly joins?: Joins & { readonly token: string };
  /** The binding or the group that allowed the request; left out: roles were not asked. */
  readonly allowed?: string;
  /** By which it was known; left out: by none. */
  readonly credential?: Credential;
}

/** Without a proof, where none is needed. */
export const ANONYMOUS_CALLER: Caller = { kind: "user", name: "anonymous", groups: [] };

export const isAnonymous = ({ kind, name, how }: Caller): boolean =>
  kind === "user" && how === undefined && name === ANONYMOUS_CALLER.name;

const callers = new WeakMap<FastifyRequest, Caller>();

export function setCaller(request: FastifyRequest, caller: Caller): void {
  callers.set(request, caller);
}

/** Undefined: the request was refused before it was known who sent it. */
export const knownCallerOf = (request: FastifyRequest): Caller | undefined => callers.get(request);

export function callerOf(request: FastifyRequest): Caller {
  const caller = callers.get(request);
  assert(caller !== undefined, "A request got past authentication without a caller.");
  return caller;
}
