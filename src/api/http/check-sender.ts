/**
 * Who may send which command to `/commands`, where a command says itself in whose role it is meant.
 * The authority trusts that role, so a token opens only the roles it was given out for. Without
 * tokens the server serves its own machine, where every user may do everything.
 */
import type { Command } from "../../core/protocol/command.ts";
import { ApiError } from "../errors.ts";
import type { Caller } from "./caller.ts";

export function checkSender(caller: Caller, command: Command): void {
  switch (caller.kind) {
    case "local":
      return;
    case "agent":
      checkAgent(caller.name, command);
      return;
    case "controller":
      checkController(caller.name, command);
      return;
    case "user":
      checkUser(caller.name, command);
      return;
  }
}

/** An agent speaks for its own node, and about nothing but its lease and what runs there. */
function checkAgent(node: string, { actor, intent }: Command): void {
  const isOwn =
    actor.role === "agent" &&
    actor.name === `agent:${node}` &&
    (intent.kind === "lease" || intent.kind === "report") &&
    intent.node === node;
  if (isOwn) return;
  throw new ApiError(
    "not-allowed",
    `The agent of node ${node} may renew its own lease and report on its own replicas; this is "${intent.kind}" as ${actor.role} ${actor.name}.`,
  );
}

/**
 * What people do must carry a person's name and what nodes say their agent's, so neither is a
 * controller's role.
 */
function checkController(name: string, { actor, intent }: Command): void {
  if (actor.role !== "user" && actor.role !== "agent") return;
  throw new ApiError(
    "not-allowed",
    `The controller ${name} may send the commands of controllers; this is "${intent.kind}" as ${actor.role} ${actor.name}.`,
  );
}

/**
 * Users write objects and leave commands to controllers. What no object expresses is a person's
 * word that a node is gone, and the move of a policy's pointer, which says what it replaces. Both
 * must be that person's own.
 */
function checkUser(name: string, { actor, intent }: Command): void {
  const isOwn = actor.role === "user" && actor.name === name;
  const isWord =
    intent.kind === "transition" &&
    intent.to === "fenced" &&
    intent.evidence.kind === "person" &&
    intent.evidence.name === name;
  if (isOwn && (isWord || intent.kind === "activate")) return;
  throw new ApiError(
    "not-allowed",
    `A user's token may write objects, fence a node and activate a policy. This is "${intent.kind}" as ${actor.role} ${actor.name}: write the object, or use a controller's token.`,
  );
}
