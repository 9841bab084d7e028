/**
 * The nouns. Objects are immutable values: a commit replaces them, they are never edited. `spec` is what
 * somebody wants, `status` is what the authority has committed about it.
 */
import type { Amounts } from "./amounts.ts";
import type { AutoscalerSpec, AutoscalerStatus } from "./autoscaler.ts";
import type { BatchSpec, BatchStatus } from "./batch.ts";
import type { BudgetSpec, BudgetStatus, MaybeOnBudget } from "./budget.ts";
import type { ClientCondition } from "./client-condition.ts";
import type { Disconnect, Replaced } from "./disconnect.ts";
import type { Disruption } from "./disruption.ts";
import type { DrainProgress, DrainTerms } from "./node/drain.ts";
import type { Evidence } from "./evidence.ts";
import type { Gang } from "./gang.ts";
import type { Kind, ObjectKey, Revision, Uid } from "./ids.ts";
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
import type { Room } from "./room.ts";
import type { NodePoolSpec, NodePoolStatus, Provision } from "./node/node-pool.ts";
import type { NodeTrust } from "./node/node-trust.ts";
import type { MetricsPage, Probe, RunOptions } from "./run-options.ts";
import type { SloSpec } from "./slo.ts";
import type { Stage, StopReason } from "./stage.ts";
import type { Unready } from "./unready.ts";
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
  /** Notes that clients leave on the object, e.g. what they applied last. No decision looks at them. */
  readonly annotations?: Labels;
  /** Which client owns which field, as JSON text that only the API reads. */
  readonly managedFields?: string;
  /** What clients say of the object, each type once. What the plane says is computed, never kept. */
  readonly conditions?: readonly ClientCondition[];
  readonly finalizers: readonly string[];
  /** Set once deletion was asked for; the object goes when the last finalizer does. */
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

export type Region = Entity<"Region", { readonly zones: readonly string[] }, NoStatus>;

export interface Taint {
  readonly key: string;
  readonly value: string;
  /** "no-schedule" keeps work away that does not tolerate it; "prefer-no-schedule" only costs points. */
  readonly effect: "no-schedule" | "prefer-no-schedule";
}

/** Devices of one class and model that hang on one node. Their ids are distinct on the whole node. */
export interface DevicePool {
  /** What workloads ask for, e.g. "gpu". */
  readonly class: string;
  /** e.g. "A100"; empty without a name. */
  readonly model: string;
  readonly ids: readonly string[];
}

/** Several may hold a node cordoned at once; each lifts only its own. */
export interface Cordon {
  readonly holder: string;
  readonly reason: string;
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
  /** Who drains it, why and until when; means nothing unless it is draining. Left out: no holder. */
  readonly drain?: DrainTerms;
  /** The most replicas it takes, whatever room is left; left out: no such cap. */
  readonly maxReplicas?: number;
  /** "soft": a forecast of a node, to which nothing is ever bound. Left out: hard. */
  readonly supply?: "hard" | "soft";
  /** The pool that it came of. */
  readonly pool?: string;
}

/** `unknown` is also where a node begins that no agent has spoken for yet. */
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
  /** Of a node of a pool: how it came to be. */
  readonly provision?: Provision;
}

export type Node = Entity<"Node", NodeSpec, NodeStatus>;

export type Tenant = Entity<"Tenant", { readonly displayName: string }, NoStatus>;

export interface QuotaSpec {
  /** What the tenant may use at once, whatever others do. */
  readonly limit: Amounts;
  /** Tenants of one group lend each other what they do not use; left out: the tenant is on its own. */
  readonly group?: string;
  /** The most beyond its own limit; left out: whatever the group has. Means nothing without a group. */
  readonly borrow?: Amounts;
  /** What its replicas may hold in a region, by the region's name; a region that is not named has no bound. */
  readonly regions?: Readonly<Record<string, Amounts>>;
  /** What its replicas of a priority class may reserve and hold; a class that is not named has no bound. */
  readonly classes?: Readonly<Record<string, Amounts>>;
  /** Its weight among tenants who compete; left out: 1. */
  readonly weight?: number;
  /**
   * What becomes of use that the limit no longer covers: "wait" until replicas end by themselves, "drain" asks
   * them to stop. Left out: "wait".
   */
  readonly shrink?: "wait" | "drain";
  /** How much there may be of it, whatever its size; a count that is left out has the default (LB2, LB3). */
  readonly counts?: TenantCounts;
}
export type Quota = Entity<"Quota", QuotaSpec, NoStatus>;

export interface PriorityClassSpec {
  /** Work of a higher value goes first. */
  readonly value: number;
  /** Whether its work may take the place of work of a lower value. Left out: "lower", it may. */
  readonly preempts?: "lower" | "never";
  /** Classes of the same band never take each other's place. Left out or empty: in no band. */
  readonly band?: string;
  /** Left out: true. */
  readonly preemptible?: boolean;
}
export type PriorityClass = Entity<"PriorityClass", PriorityClassSpec, NoStatus>;

/** How decisions are made for the workloads that name it. */
export type Policy = Entity<"Policy", PolicySpec, PolicyStatus>;
export type PolicyRevision = Entity<"PolicyRevision", PolicyRevisionSpec, PolicyRevisionStatus>;
export type Slo = Entity<"Slo", SloSpec, NoStatus>;
export type Override = Entity<"Override", OverrideSpec, OverrideStatus>;
export type Budget = Entity<"Budget", BudgetSpec, BudgetStatus>;
export type Autoscaler = Entity<"Autoscaler", AutoscalerSpec, AutoscalerStatus>;
export type NodePool = Entity<"NodePool", NodePoolSpec, NodePoolStatus>;

export interface Toleration {
  /** Every key when empty, and then the value is empty, too. */
  readonly key: string;
  /** Any value when empty. */
  readonly value: string;
  /** Any effect when empty or left out. */
  readonly effect?: Taint["effect"] | "";
}

/** Devices of one class for one replica: several whole ones, or a share of a single one. */
export interface DeviceAsk {
  readonly class: string;
  /** Any of these models; empty: whatever model. */
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

/** What one replica asks of a node: the whole input of the feasibility rules. */
export interface Ask {
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
}

/** What makes two nodes one place: "node", "zone", "region", or the key of a label that both have alike. */
export type Topology = string;

export interface Spread {
  readonly by: Topology;
  readonly maxSkew: number;
  /** True: only preferred. */
  readonly soft?: boolean;
}

/** The replicas with all these labels, seen by the places that `by` makes of the nodes. */
export interface AffinityTerm {
  readonly by: Topology;
  readonly labels: Labels;
  /** Whose replicas are meant; left out: the tenant's own. */
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
  /** Left out: no room is kept for what it loses, and its recoveries are not measured. */
  readonly recovery?: RecoverySpec;
}

export interface WorkloadStatus {
  /** The generation at which `template` last changed: scaling alone makes no new replicas of old indexes. */
  readonly templateGeneration: number;
  /** When that was; left out: when the workload was made. */
  readonly templateSinceMs?: number;
  /** All replicas served with this template at some time. Left out: not yet. Of services only, like all below. */
  readonly served?: true;
  /** Left out: every index is wanted of the template generation, and of no other. */
  readonly rollout?: Rollout;
  /** Templates of before, the latest last. */
  readonly history?: readonly PastTemplate[];
  /** How often the generation that is to be everywhere became another: names rollouts, and grows only. */
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

export interface Stopping {
  /** "quota": somebody else is entitled to what it uses, or its tenant's quota was made smaller. */
  readonly reason: StopReason;
  readonly sinceMs: number;
  /** The replica that it makes room for, when it was preempted. */
  readonly by?: ObjectKey;
}

export interface ReplicaStatus extends Replaced, MaybeProvisional, MaybeOnBudget {
  readonly stage: Stage;
  readonly stageSinceMs: number;
  /** How often the index was admitted. Part of every operation id, so a new incarnation is a new intent. */
  readonly incarnation: number;
  /** Ends in `failed` since a process of it last ran well for long; shapes the delay before the next incarnation. */
  readonly failures: number;
  /** How its last process ended, in its agent's words; kept through the next incarnations until one of them ends. */
  readonly lastEnd?: string | undefined;
  /** Set exactly while the replica holds a node. */
  readonly node: string | undefined;
  /** The node it was bound to last, which keeps what its processes have written. */
  readonly lastNode?: string | undefined;
  readonly session: number;
  readonly deviceIds: readonly string[];
  /** The policy revision that it was bound under; left out: one without a name. */
  readonly policyRevision?: string | undefined;
  readonly stopping: Stopping | undefined;
  /** Told by the agent once the process has its ports. */
  readonly address?: Address | undefined;
  /** The last probe that took it out of ready in this incarnation, and when; left out: none has. */
  readonly unready?: Unready | undefined;
  /** Machines that could not take it, the latest last; left out: none since it last ran. */
  readonly rejections?: readonly NodeRejection[] | undefined;
  /** How often others were asked to make room for this incarnation: names the next such intent. */
  readonly preemptions?: number | undefined;
}
export type Replica = Entity<"Replica", ReplicaSpec, ReplicaStatus>;

export interface ReservationSpec {
  /** The replica and the incarnation it is held for: together they are the intent. Of recovery: the workload and a number. */
  readonly owner: ObjectKey;
  readonly ownerUid: Uid;
  readonly incarnation: number;
  readonly tenant: string;
  readonly amounts: Amounts;
  /** That of the replica; left out: it has none. */
  readonly priorityClass?: string;
  readonly deadlineMs: number;
  /** Set: it holds room of a node, and no quota; the owner has a reservation of its own for that. */
  readonly room?: Room;
  /** The policy revision under which others were asked to make the room; left out: one without a name. */
  readonly policyRevision?: string;
}
export type Reservation = Entity<"Reservation", ReservationSpec, NoStatus>;

export type Lease = Entity<"Lease", LeaseSpec, LeaseStatus>;

export type AnyObject =
  | Region
  | Node
  | Tenant
  | Quota
  | PriorityClass
  | Policy
  | PolicyRevision
  | Slo
  | Override
  | Budget
  | Autoscaler
  | NodePool
  | Workload
  | Replica
  | Reservation
  | Lease;

export type ObjectOf<K extends Kind> = Extract<AnyObject, { readonly kind: K }>;
