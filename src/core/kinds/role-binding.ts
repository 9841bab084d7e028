/** RoleBinding: gives a role to users and groups, in one namespace. */
import { RBAC_GROUP } from "../model/access.ts";
import { tenantKey } from "../model/ids.ts";
import { bindingSpec } from "./fields/access-fields.ts";
import type { WrittenDefinition } from "./kind-definition.ts";

export const roleBindingDefinition: WrittenDefinition<"RoleBinding"> = {
  kind: "RoleBinding",
  plural: "rolebindings",
  shortNames: [],
  kubernetesGroup: RBAC_GROUP,
  hasPathNames: true,
  knowsAllFields: true,
  scope: "tenant",
  writer: "people",
  deletedBy: "user",
  applyStep: 80,
  about: "Gives a Role of its namespace, or a ClusterRole, to subjects. It holds in its namespace.",
  references: (_, namespace) => [{ key: tenantKey(namespace), mustStay: true }],
  spec: bindingSpec("The role and its subjects.", ["Role", "ClusterRole"], {
    name: "deployers",
    namespace: "payments",
    spec: {
      roleRef: { kind: "Role", name: "deployer" },
      subjects: [{ kind: "Group", name: "payments-team" }],
    },
  }),
};
