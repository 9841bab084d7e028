/** The caller of a request as roles know it (AN1). */
import { AUTHENTICATED_GROUP, type Subject } from "../../core/model/access.ts";
import { subjectOfAuthenticated } from "../../core/rules/access/subject-of-actor.ts";
import { type Caller, isAnonymous } from "../http/caller.ts";

/** As in Kubernetes. */
const BOOTSTRAP_GROUP = "system:bootstrappers";

export function subjectOf(caller: Caller): Subject {
  // It may become one of several nodes, and is none of them yet.
  if (caller.joins?.pool !== undefined) {
    const user = `system:bootstrap:${caller.credentialId ?? ""}`;
    return { user, groups: [BOOTSTRAP_GROUP, AUTHENTICATED_GROUP] };
  }
  return subjectOfAuthenticated({ ...caller, isAnonymous: isAnonymous(caller) });
}
