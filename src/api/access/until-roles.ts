/** What every token of a user allows as long as a plane keeps no roles. */
import { AUTHENTICATED_GROUP } from "../../core/model/access.ts";
import { AccessRules } from "../../core/rules/access/access-rules.ts";
import type { AccessSource } from "./authorizer.ts";

const ref = { kind: "ClusterRole", name: "everything" } as const;
const rules = new AccessRules();
rules.putRole({
  ref,
  rules: [
    { verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
    { verbs: ["*"], nonResourceURLs: ["*"] },
  ],
});
rules.putBinding({
  name: "everything",
  roleRef: ref,
  subjects: [{ kind: "Group", name: AUTHENTICATED_GROUP }],
});

export const UNTIL_ROLES: AccessSource = { rules, version: 0 };
