/** ClusterRole: what may be done anywhere, or in each namespace in which a RoleBinding names it. */
import { RBAC_GROUP } from "../model/access.ts";
import { brokenRoleRules, RULES } from "./fields/access-fields.ts";
import type { WrittenDefinition } from "./kind-definition.ts";

export const clusterRoleDefinition: WrittenDefinition<"ClusterRole"> = {
  kind: "ClusterRole",
  plural: "clusterroles",
  shortNames: [],
  kubernetesGroup: RBAC_GROUP,
  hasPathNames: true,
  knowsAllFields: true,
  scope: "cluster",
  writer: "people",
  deletedBy: "user",
  applyStep: 70,
  about:
    "What may be done everywhere, if a ClusterRoleBinding gives it, or in one namespace, if a RoleBinding does.",
  spec: {
    about: "The rules of the role.",
    isOptional: true,
    fields: { rules: RULES },
    example: {
      name: "node-reader",
      spec: {
        rules: [
          { verbs: ["get", "list", "watch"], apiGroups: ["berth.dev"], resources: ["nodes"] },
        ],
      },
    },
    rules: [brokenRoleRules],
  },
};
