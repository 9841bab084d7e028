/** RoleBinding and ClusterRoleBinding: which role they give, and to which subjects. */
import type { RoleBindingSpec } from "../../core/model/access.ts";
import type { ApiKind } from "../api-kind.ts";
import { showKind } from "./show-kind.ts";

interface Bound {
  readonly spec: RoleBindingSpec;
}

const columns = [
  {
    name: "Role",
    type: "string",
    description: "The role that it gives.",
    cell: ({ spec: { roleRef } }: Bound) => `${roleRef.kind}/${roleRef.name}`,
  },
  {
    name: "Subjects",
    type: "string",
    description: "The users, groups and service accounts that get it.",
    isWide: true,
    cell: ({ spec }: Bound) =>
      spec.subjects
        .map(({ kind, name, namespace }) => [kind, namespace, name].filter(Boolean).join("/"))
        .join(","),
  },
] as const;

export const roleBindingKind: ApiKind = showKind({ kind: "RoleBinding", columns });
export const clusterRoleBindingKind: ApiKind = showKind({ kind: "ClusterRoleBinding", columns });
