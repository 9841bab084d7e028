/** Role: what may be done with objects of one tenant. */
import { tenantKey } from "../model/ids.ts";
import { RBAC_GROUP, type RoleSpec } from "../model/access.ts";
import { brokenRoleRules, RULES } from "./fields/access-fields.ts";
import type { BrokenRule, WrittenDefinition } from "./kind-definition.ts";

export const roleDefinition: WrittenDefinition<"Role"> = {
  kind: "Role",
  plural: "roles",
  shortNames: [],
  kubernetesGroup: RBAC_GROUP,
  hasPathNames: true,
  knowsAllFields: true,
  scope: "tenant",
  writer: "people",
  deletedBy: "user",
  applyStep: 70,
  about: "What may be done with objects of one tenant. A RoleBinding gives it to users and groups.",
  references: (_, namespace) => [{ key: tenantKey(namespace), mustStay: true }],
  spec: {
    about: "The rules of the role.",
    isOptional: true,
    fields: { rules: RULES },
    example: {
      name: "deployer",
      namespace: "payments",
      spec: {
        rules: [
          {
            verbs: ["get", "list", "watch", "create", "update", "patch"],
            apiGroups: ["berth.dev"],
            resources: ["workloads", "workloads/scale"],
          },
        ],
      },
    },
    rules: [brokenRoleRules, pathsOfTenant],
  },
};

/** Paths show what belongs to no tenant. */
function pathsOfTenant({ rules }: RoleSpec): readonly BrokenRule[] {
  return rules.flatMap(({ nonResourceURLs }, at) =>
    nonResourceURLs === undefined
      ? []
      : {
          field: `rules[${at}].nonResourceURLs`,
          found: nonResourceURLs[0] ?? "",
          expected: "none: paths belong to no namespace; write a ClusterRole",
        },
  );
}
