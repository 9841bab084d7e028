/**
 * The sender of a command as roles know it. What follows from the kind of its credential is added
 * here and nowhere else, so that no token, certificate or request can claim it (AN1).
 */
import {
  ANONYMOUS_USER,
  AUTHENTICATED_GROUP,
  MASTERS_GROUP,
  NODE_USER_PREFIX,
  NODES_GROUP,
  type Subject,
  UNAUTHENTICATED_GROUP,
} from "../../model/access.ts";
import type { Actor, Credential } from "../../model/actor.ts";
import { CONTROLLERS_GROUP } from "./ready-roles.ts";

const AGENT = "agent:";

export interface Authenticated {
  readonly kind: Credential["kind"];
  /** Of an agent: its node. */
  readonly name: string;
  readonly groups: readonly string[];
  readonly isAnonymous: boolean;
}

export function subjectOfAuthenticated(caller: Authenticated): Subject {
  const { kind, name, groups } = caller;
  switch (kind) {
    case "local":
      return { user: name, groups: [MASTERS_GROUP, AUTHENTICATED_GROUP] };
    case "agent":
      return { user: `${NODE_USER_PREFIX}${name}`, groups: [NODES_GROUP, AUTHENTICATED_GROUP] };
    case "controller":
      return { user: name, groups: [CONTROLLERS_GROUP, AUTHENTICATED_GROUP] };
    case "user":
      return caller.isAnonymous
        ? { user: ANONYMOUS_USER, groups: [UNAUTHENTICATED_GROUP] }
        : { user: name, groups: [...groups, AUTHENTICATED_GROUP] };
  }
}

/** Undefined: the command comes from inside the plane, which no role restricts. */
export function subjectOfActor({ name, by }: Actor): Subject | undefined {
  if (by === undefined) return undefined;
  // A user acts under another name only where it was allowed to be that user.
  const owner = by.kind === "user" ? name : (by.name ?? name);
  return subjectOfAuthenticated({
    kind: by.kind,
    name: by.kind === "agent" && owner.startsWith(AGENT) ? owner.slice(AGENT.length) : owner,
    groups: by.groups ?? [],
    isAnonymous: by.kind === "user" && by.token === undefined,
  });
}
