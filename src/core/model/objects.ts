/**
 * The kinds. Objects are immutable values: a commit replaces them. `spec` is the desired state,
 * `status` is the state that the authority has committed.
 */
import type { RoleBindingSpec, RoleSpec } from "./access.ts";
import type { Amounts } from "./amounts.ts";
import type { AutoscalerSpec, AutoscalerStatus } from "./autoscaler.ts";
import type { BatchSpec, BatchStatus } from "./batch.ts";
import type {
  RecoveryBudgetSpec,
  RecoveryBudgetStatus,
  MaybeOnRecoveryBudget,
} from "./recovery-budget.ts";
import type { CommitmentSpec } from "./commitment.ts";
import type { ClientCondition } from "./client-condition.ts";
import type { Disconnect, Replaced } from "./disconnect.ts";
import type { Disruption } from "./disruption.ts";
import type { Cordon } from "./node/cordon.ts";
import type { DrainProgress, DrainTerms } from "./node/drain.ts";
import type { Evidence } from "./evidence.ts";
import type { Gang } from "./gang.ts";
import type { Kind, ObjectKey, Revision, Uid } from "./ids.ts";
import type { LeaderLeaseSpec } from "./leader-lease.ts";
import type { JoinSpec, JoinStatus } from "./node/join.ts";
import type { LeaseSpec, LeaseStatus } from "./node/lease.ts";
import type { OverrideSpec, OverrideStatus } from "./override.ts";
import type { PastTemplate, Rollout, RolloutSpec } from "./rollout.ts";
import type {
  PolicyRevisionSpec,
  PolicyRevisionStatus,
  PolicySpec,
  PolicyStatus,
} from "./policy.ts";
import type { MaybeProvisional } from "./provisional.ts";
import type { RecoverySpec, RecoveryStatus } from "./recovery.ts";
import type { NodeRejection } from "./node-rejection.ts";
import type { GrantSpec, GrantStatus } from "./regional/grant.ts";
import type { PlaneStatus } from "./regional/plane.ts";
import type { RegionSpec, RegionStatus } from "./regional/region.ts";
import type { ReservationSpec } from "./reservation.ts";
import type { NodePoolSpec, NodePoolStatus, Provision } from "./node/node-pool.ts";
import type { NodeTrust } from "./node/node-trust.ts";
import type { Owner } from "./owner.ts";
import type { Driven, MetricsPage, Probe, RunOptions } from "./run-options.ts";
import type { SecretSpec } from "./secret/secret.ts";
import type { SloSpec } from "./slo.ts";
import type { Stage, Stopping } from "./stage.ts";
import type { Taint, Toleration } from "./node/taint.ts";
import type { FailingProbe, Unready } from "./unready.ts";
import type { TenantCounts } from "./limits/tenant-counts.ts";

export type Labels = Readonly<Record<string, string>>;

export interface Meta {
  readonly namespace: string;
  readonly name: string;
  readonly uid: Uid;
  /** Grows with every change of `spec`. */
  readonly generation: number;
  /** The revision that wrote this value of the object. */
  readonly revision: Revision;
  readonly createdMs: number;
  readonly labels: Labels;
  /** Notes of clients. The only one that a decision reads is the end of a role binding. */
  readonly annotations?: Labels;
  /** Which client owns which field, as JSON text that only the API reads. */
  readonly managedFields?: string;
  /** Conditions set by clients, each type once. Those of the plane are computed, never stored. */
  readonly conditions?: readonly ClientCondition[];
  readonly finalizers: readonly string[];
  /** It is deleted once none of them exists any more; left out: it belongs to no other object. */
  readonly owners?: readonly Owner[];
  /** Set once deletion was requested; the object goes with its last finalizer. */
  readonly deletingMs: number | undefined;
}

interface Entity<K extends Kind, Spec, Status> {
  readonly kind: K;
  readonly key: ObjectKey;
  readonly meta: Meta;
  readonly spec: Spec;
  readonly status: Status;
}

export type NoStatus = Readonly<Record<string, never>>;

export type Region = Entity<"Region", RegionSpec, RegionStatus>;

/** The plane's own place among others; left out of a log whose plane serves all regions. */
export type Plane = Entity<"Plane", NoStatus, PlaneStatus>;
/** What a region was lent of a tenant's quota. */
export type Grant = Entity<"Grant", GrantSpec, GrantStatus>;

/** Devices of one class and model on one node. Their ids are unique on the node. */
export interface DevicePool {
  /** The name that workloads request, e.g. "gpu". */
  readonly class: string;
  /** e.g. "A100"; empty without a name. */
  readonly model: string;
  readonly ids: readonly string[];
}

export interface NodeSpec {
  readonly region: string;
  readonly zone: string;
  /** `deviceMillis` is 1000 for each device of the pools below. */
  readonly capacity: Amounts;
  readonly pools: readonly DevicePool[];
  readonly taints: readonly Taint[];
  readonly cordons: readonly Cordon[];
  readonly draining: boolean;
  /** Holder, reason and deadline; ignored unless it is draining. Left out: no holder. */
  readonly drain?: DrainTerms;
  /** The most replicas it takes, even with room left; left out: no such cap. */
  readonly maxReplicas?: number;
  /** "soft": a provisioning node, to which nothing is bound. Left out: hard. */
  readonly supply?: "hard" | "soft";
  /** The pool that made it. */
  readonly pool?: string;
}

/** `unknown` is also the first health of a node whose agent has not renewed yet. */
export type NodeHealth = "ready" | "suspect" | "unknown" | "fenced";

export interface NodeStatus extends NodeTrust {
  readonly health: NodeHealth;
  readonly healthSinceMs: number;
  /** The agent's session; a later one begins with nothing running. */
  readonly session: number;
  readonly evidence: Evidence | undefined;
  /** What the machine cannot do for its processes, in its agent's words. */
  readonly notes?: readonly string[] | undefined;
  /** Set while it is drained with a deadline. */
  readonly drain?: DrainProgress;
  /** For a node of a pool: how it was provisioned. */
  readonly provision?: Provision;
}

export type Node = Entity<"Node", NodeSpec, NodeStatus>;

export type Tenant = Entity<"Tenant", { readonly displayName: string }, NoStatus>;

export interface QuotaSpec {
  /** The use that the tenant is entitled to. */
  readonly limit: Amounts;
  /** Tenants of one group lend each other unused quota; left out: no lending. */
  readonly group?: string;
  /** The most beyond its own limit; left out: all of the group. Ignored without a group. */
  readonly borrow?: Amounts;
  /** Limits of its replicas by region; a region without an entry has no limit. */
  readonly regions?: Readonly<Record<string, Amounts>>;
  /** Limits of its replicas by priority class; a class without an entry has no limit. */
  readonly classes?: Readonly<Record<string, Amounts>>;
  /** Its weight among competing tenants; left out: 1. */
  readonly weight?: number;
  /**
   * For use beyond a lowered limit: "wait" until replicas end by themselves, "drain" asks them to
   * stop. Left out: "wait".
   */
  readonly shrink?: "wait" | "drain";
  /** Limits on numbers of objects; a count that is left out has the default (LB2, LB3). */
  readonly counts?: TenantCounts;
}
export type Quota = Entity<"Quota", QuotaSpec, NoStatus>;

export interface PriorityClassSpec {
  /** Work of a higher value goes first. */
  readonly value: number;
  /** Whether its work may preempt work of a lower value. Left out: "lower", it may. */
  readonly preempts?: "lower" | "never";
  /** Classes of the same band never preempt each other. Left out or empty: in no band. */
  readonly band?: string;
  /** Left out: true. */
  readonly preemptible?: boolean;
}
export type PriorityClass = Entity<"PriorityClass", PriorityClassSpec, NoStatus>;

/** How decisions are made for the workloads that name it. */
export type Policy = Entity<"Policy", PolicySpec, PolicyStatus>;
export type PolicyRevision = Entity<"PolicyRevision", PolicyRevisionSpec, PolicyRevisionStatus>;
export type Slo = Entity<"Slo", SloSpec, NoStatus>;
export type Commitment = Entity<"Commitment", CommitmentSpec, NoStatus>;
export type Override = Entity<"Override", OverrideSpec, OverrideStatus>;
export type RecoveryBudget = Entity<"RecoveryBudget", RecoveryBudgetSpec, RecoveryBudgetStatus>;
export type Autoscaler = Entity<"Autoscaler", AutoscalerSpec, AutoscalerStatus>;
export type NodePool = Entity<"NodePool", NodePoolSpec, NodePoolStatus>;

/** Devices of one class for one replica: several whole ones, or a share of a single one. */
export interface DeviceAsk {
  readonly class: string;
  /** Any of these models; empty: every model. */
  readonly models: readonly string[];
  readonly count: number;
  /** 1000: the whole device, exclusively. Less only with a count of 1. */
  readonly shareMillis: number;
}

/** One statement about a node's labels. */
export interface NodeExpression {
  readonly key: string;
  readonly operator: "in" | "not-in" | "exists" | "does-not-exist" | "gt" | "lt";
  readonly values: readonly string[];
}

export interface PreferredNodes {
  /** 1 to 100. */
  readonly weight: number;
  readonly expressions: readonly NodeExpression[];
}

/** The requests of one replica: the whole input of the feasibility rules. */
export interface Ask extends Driven {
  readonly amounts: Amounts;
  /** Left out: no device. Otherwise `amounts.deviceMillis` is its count times its share. */
  readonly device?: DeviceAsk;
  /** Empty lists allow everything. */
  readonly regions: readonly string[];
  readonly zones: readonly string[];
  readonly nodeSelector: Labels;
  /** All must hold. */
  readonly nodeExpressions?: readonly NodeExpression[];
  readonly preferredNodes?: readonly PreferredNodes[];
  readonly tolerations: readonly Toleration[];
  /** Port numbers by the names in `run.ports`: each is exclusive on a node. Left out: none. */
  readonly fixedPorts?: Readonly<Record<string, number>>;
  /** Room on a disk of its node, such as 2Gi. Left out: what it writes is in memory. */
  readonly disk?: string;
}

/** How nodes form places: "node", "zone", "region", or the key of a label with equal values. */
export type Topology = string;

export interface Spread {
  readonly by: Topology;
  readonly maxSkew: number;
  /** True: only preferred. */
  readonly soft?: boolean;
}

/** The replicas with all these labels, by the places that `by` makes of the nodes. */
export interface AffinityTerm {
  readonly by: Topology;
  readonly labels: Labels;
  /** The tenants of these replicas; left out: the workload's own. */
  readonly tenants?: readonly string[];
}

export interface WeightedTerm extends AffinityTerm {
  /** 1 to 100. */
  readonly weight: number;
}

export interface Affinity {
  readonly required: readonly AffinityTerm[];
  readonly preferred: readonly WeightedTerm[];
  readonly antiRequired: readonly AffinityTerm[];
  readonly antiPreferred: readonly WeightedTerm[];
}

export interface Template extends Disconnect {
  readonly ask: Ask;
  readonly spread: readonly Spread[];
  readonly affinity?: Affinity;
  /** The most replicas of the same workload on one node; left out: no such cap. */
  readonly maxPerNode?: number;
  /** Name of the policy that scores nodes; left out: "default". */
  readonly policy?: string;
  readonly priorityClass: string;
  readonly command: readonly string[];
  readonly run?: RunOptions;
  readonly probe?: Probe;
  readonly metrics?: MetricsPage;
  /** When a person last asked for new processes: another time is another template (RO90). */
  readonly restartedAt?: string;
}

/** Where a replica can be reached, by port name. */
export interface Address {
  readonly host: string;
  readonly ports: Readonly<Record<string, number>>;
}

export interface WorkloadSpec {
  readonly type: "service" | "batch";
  readonly replicas: number;
  readonly template: Template;
  /** Left out: there is no bound. */
  readonly disruption?: Disruption;
  /** Left out: each replica runs for itself. */
  readonly gang?: Gang;
  /** How a service moves to another template; left out: one replica at a time. */
  readonly rollout?: RolloutSpec;
  /** Left out: each replica of a batch is tried until it succeeds. */
  readonly batch?: BatchSpec;
  /** Left out: no recovery reserve, and its recoveries are not measured. */
  readonly recovery?: RecoverySpec;
}

export interface WorkloadStatus {
  /** The generation at which `template` last changed: scaling alone makes no new replicas. */
  readonly templateGeneration: number;
  /** When that was; left out: when the workload was made. */
  readonly templateSinceMs?: number;
  /** All replicas have served with this template. For services only, like all below. */
  readonly served?: true;
  /** Left out: every index is wanted in the template generation, and in no other. */
  readonly rollout?: Rollout;
  /** Earlier templates, the latest last. */
  readonly history?: readonly PastTemplate[];
  /** How often the target generation changed: names rollouts, and only grows. */
  readonly retargets?: number;
  readonly batch?: BatchStatus;
  readonly recovery?: RecoveryStatus;
}
export type Workload = Entity<"Workload", WorkloadSpec, WorkloadStatus>;

export interface ReplicaSpec {
  readonly workload: string;
  readonly workloadUid: Uid;
  /** The template generation this replica was made from. */
  readonly generation: number;
  readonly index: number;
  readonly type: "service" | "batch";
  readonly template: Template;
}

export interface ReplicaStatus extends Replaced, MaybeProvisional, MaybeOnRecoveryBudget {
  readonly stage: Stage;
  readonly stageSinceMs: number;
  /** How often the index was admitted. Part of operation ids: a new incarnation is a new intent. */
  readonly incarnation: number;
  /** Failures since a process last ran well for long; determines the delay of the restart. */
  readonly failures: number;
  /** The end of its last process in its agent's words; kept until the next one ends. */
  readonly lastEnd?: string | undefined;
  /** Set exactly while the replica holds a node. */
  readonly node: string | undefined;
  /** The node it was last bound to, which keeps the files of its processes. */
  readonly lastNode?: string | undefined;
  readonly session: number;
  readonly deviceIds: readonly string[];
  /** The policy revision that it was bound under; left out: one without a name. */
  readonly policyRevision?: string | undefined;
  readonly stopping: Stopping | undefined;
  /** Reported by the agent once the process has its ports. */
  readonly address?: Address | undefined;
  /** The last probe that made it unready in this incarnation, and when; left out: none. */
  readonly unready?: Unready | undefined;
  /** The probe that keeps it from being ready; left out: none that failed for long. */
  readonly failingProbe?: FailingProbe | undefined;
  /** Machines that rejected it, the latest last; left out: none since it last ran. */
  readonly rejections?: readonly NodeRejection[] | undefined;
  /** How often this incarnation has preempted: names the next such intent. */
  readonly preemptions?: number | undefined;
}
export type Replica = Entity<"Replica", ReplicaSpec, ReplicaStatus>;

export type Reservation = Entity<"Reservation", ReservationSpec, NoStatus>;
export type Lease = Entity<"Lease", LeaseSpec, LeaseStatus>;
export type Join = Entity<"Join", JoinSpec, JoinStatus>;
export type LeaderLease = Entity<"LeaderLease", LeaderLeaseSpec, NoStatus>;
export type Secret = Entity<"Secret", SecretSpec, NoStatus>;

/** What may be done with objects of one tenant. */
export type Role = Entity<"Role", RoleSpec, NoStatus>;
/** What may be done anywhere, or in each namespace in which a binding names it. */
export type ClusterRole = Entity<"ClusterRole", RoleSpec, NoStatus>;
export type RoleBinding = Entity<"RoleBinding", RoleBindingSpec, NoStatus>;
export type ClusterRoleBinding = Entity<"ClusterRoleBinding", RoleBindingSpec, NoStatus>;

export type AnyObject =
  | Join
  | Region
  | Node
  | Tenant
  | Quota
  | PriorityClass
  | Policy
  | PolicyRevision
  | Slo
  | Commitment
  | Override
  | RecoveryBudget
  | Autoscaler
  | NodePool
  | Workload
  | Replica
  | Reservation
  | Lease
  | LeaderLease
  | Secret
  | Role
  | RoleBinding
  | ClusterRole
  | ClusterRoleBinding
  | Plane
  | Grant;

export type ObjectOf<K extends Kind> = Extract<AnyObject, { readonly kind: K }>;
