/**
 * Names and identities. A key names an object, a uid names one incarnation of that name, an
 * operation names an intent. They are all strings on the wire; the brands keep one from being
 * passed where another is meant.
 */
declare const brand: unique symbol;
type Branded<Base, Name extends string> = Base & { readonly [brand]: Name };

/** `Kind/namespace/name`; the namespace of cluster-wide kinds is empty. */
export type ObjectKey = Branded<string, "ObjectKey">;
export type Uid = Branded<string, "Uid">;
/** Made of the intent (what is to become true), never of the attempt. */
export type OperationId = Branded<string, "OperationId">;

/** Position in the log. Grows by one with every commit. */
export type Revision = number;
/** One leadership of the authority. Grows with every claim of the log. */
export type Epoch = number;

export const KINDS = [
  "Region",
  "Node",
  "Tenant",
  "Quota",
  "PriorityClass",
  "Policy",
  "PolicyRevision",
  "Slo",
  "Commitment",
  "Override",
  "RecoveryBudget",
  "Autoscaler",
  "NodePool",
  "Workload",
  "Replica",
  "Reservation",
  "Lease",
  "LeaderLease",
  "Secret",
  "Role",
  "RoleBinding",
  "ClusterRole",
  "ClusterRoleBinding",
  "Join",
  "Plane",
  "Grant",
] as const;
export type Kind = (typeof KINDS)[number];

export interface ObjectName {
  readonly kind: Kind;
  /** The tenant for tenant-owned kinds, the empty string for cluster-wide ones. */
  readonly namespace: string;
  readonly name: string;
}

export function keyOf(object: ObjectName): ObjectKey {
  return `${object.kind}/${object.namespace}/${object.name}` as ObjectKey;
}

export function parseKey(key: ObjectKey): ObjectName {
  const first = key.indexOf("/");
  const second = key.indexOf("/", first + 1);
  return {
    kind: key.slice(0, first) as Kind,
    namespace: key.slice(first + 1, second),
    name: key.slice(second + 1),
  };
}

export const regionKey = (name: string): ObjectKey => `Region//${name}` as ObjectKey;
/** A log has at most one: its own. */
export const PLANE_KEY = "Plane//self" as ObjectKey;
export const grantKey = (tenant: string, region: string): ObjectKey =>
  `Grant/${tenant}/${region}` as ObjectKey;
export const nodeKey = (name: string): ObjectKey => `Node//${name}` as ObjectKey;
export const leaseKey = (node: string): ObjectKey => `Lease//${node}` as ObjectKey;
export const tenantKey = (name: string): ObjectKey => `Tenant//${name}` as ObjectKey;
/** Every tenant has one quota, under this name, until quotas are split by region. */
export const quotaKey = (tenant: string): ObjectKey => `Quota/${tenant}/default` as ObjectKey;
export const policyKey = (name: string): ObjectKey => `Policy//${name}` as ObjectKey;
export const policyRevisionKey = (name: string): ObjectKey =>
  `PolicyRevision//${name}` as ObjectKey;
export const workloadKey = (tenant: string, name: string): ObjectKey =>
  `Workload/${tenant}/${name}` as ObjectKey;

export const leaderLeaseKey = (tenant: string, name: string): ObjectKey =>
  `LeaderLease/${tenant}/${name}` as ObjectKey;

export interface IndexOfGeneration {
  readonly tenant: string;
  readonly workload: string;
  readonly generation: number;
  readonly index: number;
}

/** A replica is one index of one template generation, so its name says both. */
export const replicaKey = (named: IndexOfGeneration): ObjectKey =>
  `Replica/${named.tenant}/${named.workload}.${named.generation}.${named.index}` as ObjectKey;

/**
 * The index's second name. It is used while the first belongs to a replica that was replaced
 * although it may still run; once both are gone the first is free again.
 */
export const secondReplicaKey = (named: IndexOfGeneration): ObjectKey =>
  `${replicaKey(named)}.r` as ObjectKey;
/** A first name ends in the number of the index. */
export const isSecondKey = (replica: ObjectKey): boolean => replica.endsWith(".r");

export const operationId = (text: string): OperationId => text as OperationId;
