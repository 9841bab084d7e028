/** ClusterRoleBinding: gives a role to users and groups, everywhere. */
import { RBAC_GROUP } from "../model/access.ts";
import { bindingSpec } from "./fields/access-fields.ts";
import type { WrittenDefinition } from "./kind-definition.ts";

export const clusterRoleBindingDefinition: WrittenDefinition<"ClusterRoleBinding"> = {
  kind: "ClusterRoleBinding",
  plural: "clusterrolebindings",
  shortNames: [],
  kubernetesGroup: RBAC_GROUP,
  hasPathNames: true,
  knowsAllFields: true,
  scope: "cluster",
  writer: "people",
  deletedBy: "user",
  applyStep: 80,
  about: "Gives a ClusterRole to subjects, in every namespace and for kinds that belong to none.",
  spec: bindingSpec("The role and its subjects.", ["ClusterRole"], {
    name: "operators",
    spec: {
      roleRef: { kind: "ClusterRole", name: "operator" },
      subjects: [{ kind: "Group", name: "platform-team" }],
    },
  }),
};
