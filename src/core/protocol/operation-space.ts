/**
 * Whose operation an id belongs to. Ids are made of intent, so any caller can work out the id that
 * another will use next: were there one space for all, an agent or a user could use that id up
 * first, and the other's command would be answered as a duplicate and never have its effect. So
 * each authenticated caller has a space of its own (ID1).
 *
 * Controllers share one: a second scheduler and a restarted controller must meet the outcome of the
 * first.
 */
import type { Actor } from "../model/actor.ts";
import type { Commit } from "./commit-record.ts";

export type OperationSpace = string;

/** No other space has this name: those of callers all have a colon. */
export const CONTROLLERS: OperationSpace = "controllers";

const AGENT = "agent:";

export function operationSpace({ role, name, by }: Actor): OperationSpace {
  if (role === "agent") return name.startsWith(AGENT) ? name : AGENT + name;
  if (role !== "user") return CONTROLLERS;
  // Agents and remote controllers write objects, too, and may be called what a person is called.
  if (by?.kind === "agent") return AGENT + name;
  return by?.kind === "controller" ? `controller:${name}` : `user:${name}`;
}

/** The plane that begins to lead says so in a person's role, and is none. */
export const spaceOfCommit = ({ actor, command }: Pick<Commit, "actor" | "command">) =>
  command === "lead" ? CONTROLLERS : operationSpace(actor);
