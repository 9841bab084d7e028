/**
 * Which commands a sender may send at all, before any of them is looked at (ID3, ID4). The server
 * that authenticates a caller asks the same; it is asked here once more because here is where
 * safety is decided.
 */
import type { Actor } from "../../model/actor.ts";
import type { CommandKind, Intent } from "../../protocol/command.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";

/**
 * People write objects. What no object expresses is their word that a node or a
 * region is gone, and the move of a policy.
 */
const OF_USERS: ReadonlySet<CommandKind> = new Set([
  "put",
  "delete",
  "transition",
  "activate",
  "region-gone",
]);

export function notForSender({ role, name }: Actor, intent: Intent): Rejection | undefined {
  if (role === "agent") return notForAgent(name, intent);
  if (role !== "user" || OF_USERS.has(intent.kind)) return undefined;
  return reject("not-owner", intent.kind, "a controller or an agent", role);
}

/**
 * An agent speaks for the node that its own name says, and about its lease and its processes only.
 * What it may say of the node when it registers it is checked with the put (NR1).
 */
function notForAgent(name: string, intent: Intent): Rejection | undefined {
  // A token of a pool has no node of its own: whose node it is, the signer has looked at.
  if (intent.kind === "put" || intent.kind === "join") return undefined;
  if (intent.kind !== "lease" && intent.kind !== "report") {
    return reject("not-owner", intent.kind, "a user or a controller", name);
  }
  const owner = `agent:${intent.node}`;
  return name === owner ? undefined : reject("not-owner", `${intent.kind} node`, owner, name);
}
