/**
 * In whose name a caller acts. What a request says of its sender is replaced by what the server
 * knows: with a token, name and credential are the token's (ID5). Only the plane's own machine,
 * where no token is asked for, is taken at its word.
 */
import type { Request } from "../../core/kernel/component.ts";
import type { Actor, Credential } from "../../core/model/actor.ts";
import type { NodeApproval } from "../../core/model/node/node-approval.ts";
import type { Caller } from "./caller.ts";

/** Any of them: controllers share their operations. */
export const CONTROLLER: Actor = { role: "place", name: "controllers" };

/** Who writes an object through the API. */
export const personOf = (caller: Caller): Actor => ({
  role: "user",
  name: caller.name,
  by: credentialOf(caller),
});

/**
 * The authority has rules of its own for a node that an agent registers, so it must know that an
 * agent writes (NR1).
 */
export function writerOf(caller: Caller): {
  readonly actor: Actor;
  readonly approved?: NodeApproval;
} {
  if (caller.kind !== "agent") return { actor: personOf(caller) };
  const actor = { role: "agent", name: `agent:${caller.name}`, by: credentialOf(caller) } as const;
  return { actor, approved: caller.approved ?? {} };
}

/** The request as its sender may have meant it, signed with who that is. */
export function signed(caller: Caller, request: Request): Request {
  if (request.kind === "lookup") return { ...request, actor: askedAbout(caller, request.actor) };
  const { command } = request;
  return { ...request, command: { ...command, actor: signedActor(caller, command.actor) } };
}

/**
 * An agent's and a user's name must be their own, which `check-sender.ts` refuses otherwise; that
 * of a controller is replaced, because many run under one name and are configured with another.
 */
function signedActor(caller: Caller, { role, name }: Actor): Actor {
  if (caller.kind === "local") return { role, name, by: credentialOf(caller, name) };
  const by = credentialOf(caller);
  return caller.kind === "controller" ? { role, name: caller.name, by } : { role, name, by };
}

/** Whose operations a caller asks about: with a token its own, whatever it says (ID2). */
function askedAbout({ kind, name }: Caller, said: Actor | undefined): Actor {
  switch (kind) {
    case "local":
      return said ?? { role: "user", name };
    case "agent":
      return { role: "agent", name: `agent:${name}` };
    case "controller":
      return CONTROLLER;
    case "user":
      return { role: "user", name };
  }
}

/** Whose token it was, also where the administrator acts under another name. */
export function credentialOf(caller: Caller, as = caller.name): Credential {
  const { kind, name, groups, credentialId, credential, address, allowed } = caller;
  const owner = credential?.caller.name ?? name;
  // Agents write most of the log, and each is known by the address of its node.
  const isTold = address !== undefined && kind !== "agent";
  return {
    kind,
    ...(as === owner ? {} : { name: owner }),
    ...(credentialId === undefined ? {} : { token: credentialId }),
    ...(allowed === undefined || kind === "agent" ? {} : { allowed }),
    ...(isTold ? { address } : {}),
    ...(groups.length === 0 ? {} : { groups }),
  };
}
