/**
 * Who may do what, in the words of Kubernetes' RBAC: subjects ask for a verb on a resource, roles
 * list what is allowed, bindings give roles to subjects. Rules only allow; what no rule allows is
 * refused.
 */

/** The API group of roles and bindings, which is Kubernetes' own. */
export const RBAC_GROUP = "rbac.authorization.k8s.io";

/** An authenticated caller, as roles know it. */
export interface Subject {
  readonly user: string;
  readonly groups: readonly string[];
}

/** Everything that is allowed to the members of this group needs no role (`cluster-admin`). */
export const MASTERS_GROUP = "system:masters";
export const AUTHENTICATED_GROUP = "system:authenticated";
export const UNAUTHENTICATED_GROUP = "system:unauthenticated";
export const NODES_GROUP = "system:nodes";
export const ANONYMOUS_USER = "system:anonymous";
/** The user name of a node's agent begins with it, as in Kubernetes. */
export const NODE_USER_PREFIX = "system:node:";

/** What people ask for in Kubernetes. */
export const STANDARD_VERBS = [
  "get",
  "list",
  "watch",
  "create",
  "update",
  "patch",
  "delete",
  "deletecollection",
  "impersonate",
  "escalate",
  "bind",
  "approve",
  "sign",
] as const;

/** Powers beyond Kubernetes' verbs. Each is a verb on the resource that it is about. */
export const POWERS = [
  /** Read the output of replicas. */
  "log",
  /** Run commands in replicas, and forward ports to them. */
  "exec",
  /** See values of environment variables. */
  "env",
  "backup",
  "restore",
  /** State that a node is gone. */
  "fence",
  /** Move a policy's pointer. */
  "activate",
  "override",
  /** Replay a recording, or preview a change, which shows the work of all tenants. */
  "preview",
  "run-as-root",
  /** Speak for the plane of a region, and be told what it was lent. */
  "report",
  /** Name a priority class or a node pool in a workload. */
  "use",
] as const;
export type Power = (typeof POWERS)[number];
export type Verb = (typeof STANDARD_VERBS)[number] | Power;

/** One question: may this be done with objects of this resource? */
export interface ResourceRequest {
  readonly verb: Verb;
  /** Empty for Kubernetes' core group. */
  readonly group: string;
  /** The plural, as in a path: `workloads`. */
  readonly resource: string;
  readonly subresource?: string;
  /** Left out: in all namespaces, or of a resource that belongs to none. */
  readonly namespace?: string;
  /** Left out: not about one object. */
  readonly name?: string;
}

/** One question: may this path of the API be read (or written) that shows no objects? */
export interface PathRequest {
  readonly verb: Verb;
  readonly path: string;
}

export type AccessRequest = ResourceRequest | PathRequest;

/** What a role allows. `*` stands for all of a list. */
export interface AccessRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  /** `workloads`, `workloads/scale`, or `*`. */
  readonly resources?: readonly string[];
  /** Only objects of these names; left out: all. */
  readonly resourceNames?: readonly string[];
  /** Only in roles of the whole cluster; a trailing `*` stands for any rest. */
  readonly nonResourceURLs?: readonly string[];
}

export interface RoleRef {
  readonly kind: "Role" | "ClusterRole";
  readonly name: string;
}

export interface BindingSubject {
  readonly kind: "User" | "Group" | "ServiceAccount";
  readonly name: string;
  /** Of a service account. */
  readonly namespace?: string;
}

export interface RoleSpec {
  readonly rules: readonly AccessRule[];
}

export interface RoleBindingSpec {
  readonly roleRef: RoleRef;
  readonly subjects: readonly BindingSubject[];
}

/** An answer, with what it rests on. */
export type AccessDecision =
  | {
      readonly isAllowed: true;
      /** The group or the binding that allows it, as `ClusterRoleBinding/operators`. */
      readonly by: string;
    }
  | { readonly isAllowed: false; readonly reason: string };
