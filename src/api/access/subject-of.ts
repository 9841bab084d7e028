/**
 * The caller of a request as roles know it. What follows from the kind of its credential is added
 * here and nowhere else, so that no token, certificate or request can claim it.
 */
import {
  ANONYMOUS_USER,
  AUTHENTICATED_GROUP,
  MASTERS_GROUP,
  NODES_GROUP,
  NODE_USER_PREFIX,
  type Subject,
  UNAUTHENTICATED_GROUP,
} from "../../core/model/access.ts";
import { type Caller, isAnonymous } from "../http/caller.ts";

/** Processes that run controllers outside a plane. */
export const CONTROLLERS_GROUP = "berth:controllers";

/** As in Kubernetes. */
const BOOTSTRAP_GROUP = "system:bootstrappers";

export function subjectOf(caller: Caller): Subject {
  const { kind, name, groups } = caller;
  switch (kind) {
    case "local":
      return { user: name, groups: [MASTERS_GROUP, AUTHENTICATED_GROUP] };
    case "agent":
      // It is no node yet: roles of nodes are not its roles.
      if (caller.joins !== undefined) {
        const user = `system:bootstrap:${caller.credentialId ?? ""}`;
        return { user, groups: [BOOTSTRAP_GROUP, AUTHENTICATED_GROUP] };
      }
      return { user: `${NODE_USER_PREFIX}${name}`, groups: [NODES_GROUP, AUTHENTICATED_GROUP] };
    case "controller":
      return { user: name, groups: [CONTROLLERS_GROUP, AUTHENTICATED_GROUP] };
    case "user":
      if (isAnonymous(caller)) {
        return { user: ANONYMOUS_USER, groups: [UNAUTHENTICATED_GROUP] };
      }
      return { user: name, groups: [...groups, AUTHENTICATED_GROUP] };
  }
}
