/**
 * The nouns. Objects are immutable values: a commit replaces them, nobody edits them. `spec` is what
 * somebody wants, `status` is what the authority has committed about it.
 */
import type { Amounts } from "./amounts.ts";
import type { Evidence } from "./evidence.ts";
import type { Epoch, Kind, ObjectKey, Revision, Uid } from "./ids.ts";
import type { Stage } from "./stage.ts";

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

export interface RegionSpec {
  readonly zones: readonly string[];
}
export type Region = Entity<"Region", RegionSpec, NoStatus>;

export interface Taint {
  readonly key: string;
  readonly value: string;
}

/** Several may hold a node cordoned at once; each lifts only its own. */
export interface Cordon {
  readonly holder: string;
  readonly reason: string;
}

export interface NodeSpec {
  readonly region: string;
  readonly zone: string;
  /** `devices` is the number of exclusive units listed below. */
  readonly capacity: Amounts;
  /** Class of the exclusive units, e.g. "gpu", and their ids; empty class when there are none. */
  readonly deviceClass: string;
  readonly deviceIds: readonly string[];
  readonly taints: readonly Taint[];
  readonly cordons: readonly Cordon[];
  readonly draining: boolean;
}

/** `unknown` is also where a node begins that no agent has spoken for yet. */
export type NodeHealth = "ready" | "suspect" | "unknown" | "fenced";

export interface NodeStatus {
  readonly health: NodeHealth;
  readonly healthSinceMs: number;
  /** The agent's session; a later one begins with nothing running. */
  readonly session: number;
  readonly evidence: Evidence | undefined;
}
export type Node = Entity<"Node", NodeSpec, NodeStatus>;

export interface TenantSpec {
  readonly displayName: string;
}
export type Tenant = Entity<"Tenant", TenantSpec, NoStatus>;

export interface QuotaSpec {
  readonly limit: Amounts;
}
export type Quota = Entity<"Quota", QuotaSpec, NoStatus>;

export interface PriorityClassSpec {
  readonly value: number;
}
export type PriorityClass = Entity<"PriorityClass", PriorityClassSpec, NoStatus>;

export interface Toleration {
  readonly key: string;
  /** Any value when empty. */
  readonly value: string;
}

/** What one replica asks of a node: the whole input of the feasibility rules. */
export interface Ask {
  readonly amounts: Amounts;
  /** Class of the exclusive units counted in `amounts.devices`. */
  readonly deviceClass: string;
  /** Empty lists allow everything. */
  readonly regions: readonly string[];
  readonly zones: readonly string[];
  readonly nodeSelector: Labels;
  readonly tolerations: readonly Toleration[];
}

export interface Spread {
  readonly by: "zone" | "region" | "node";
  readonly maxSkew: number;
}

/** How the process is run, beyond its command. No decision looks at any of this but the agent's driver. */
export interface RunOptions {
  readonly env: Readonly<Record<string, string>>;
  /** Empty: a folder of the replica's own. */
  readonly workingDir: string;
  /** Empty: whoever runs the agent. */
  readonly user: string;
  /** Names of the ports it wants; the agent picks free ones and passes them in the environment. */
  readonly ports: readonly string[];
  /** Between asking a process to stop and killing it. */
  readonly stopGraceMs: number;
  /** How many words at the end of `command` were written as its arguments; only the API tells them apart. */
  readonly argCount?: number;
}

export type ProbeAction =
  | { readonly kind: "http"; readonly port: string; readonly path: string }
  | { readonly kind: "tcp"; readonly port: string }
  | { readonly kind: "exec"; readonly command: readonly string[] };

/** How the agent's driver finds out whether a process is ready. Without one, running is ready. */
export interface Probe {
  readonly action: ProbeAction;
  readonly timeoutMs: number;
}

export interface Template {
  readonly ask: Ask;
  readonly spread: readonly Spread[];
  readonly priorityClass: string;
  readonly onDisconnect: "stop" | "keep";
  readonly command: readonly string[];
  readonly run?: RunOptions;
  readonly probe?: Probe;
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
}

export interface WorkloadStatus {
  /** The generation at which `template` last changed: scaling alone makes no new replicas of old slots. */
  readonly templateGeneration: number;
}
export type Workload = Entity<"Workload", WorkloadSpec, WorkloadStatus>;

export interface ReplicaSpec {
  readonly workload: string;
  readonly workloadUid: Uid;
  /** The template generation this replica was made from. */
  readonly generation: number;
  readonly slot: number;
  readonly type: "service" | "batch";
  readonly template: Template;
}

export interface Stopping {
  readonly reason: "surplus" | "drain";
  readonly sinceMs: number;
}

export interface ReplicaStatus {
  readonly stage: Stage;
  readonly stageSinceMs: number;
  /** How often the slot was admitted. Part of every operation id, so a new life is a new intent. */
  readonly life: number;
  /** Ends in `failed`, so far, across lives; shapes the delay before the next one. */
  readonly failures: number;
  /** The reservation the replica was queued with, until bind consumes it. */
  readonly reservation: ObjectKey | undefined;
  /** Set exactly while the replica holds a node. */
  readonly node: string | undefined;
  readonly session: number;
  readonly deviceIds: readonly string[];
  readonly stopping: Stopping | undefined;
  /** Told by the agent once the process has its ports. */
  readonly address?: Address | undefined;
}
export type Replica = Entity<"Replica", ReplicaSpec, ReplicaStatus>;

export interface ReservationSpec {
  /** The replica and the life it is held for: together they are the intent. */
  readonly owner: ObjectKey;
  readonly ownerUid: Uid;
  readonly life: number;
  readonly tenant: string;
  readonly amounts: Amounts;
  readonly deadlineMs: number;
}
export type Reservation = Entity<"Reservation", ReservationSpec, NoStatus>;

export interface LeaseSpec {
  readonly node: string;
}
export interface LeaseStatus {
  readonly session: number;
  readonly seq: number;
  /** On the clock of the authority of `epoch`; means nothing to any other clock. */
  readonly renewedMs: number;
  readonly epoch: Epoch;
}
export type Lease = Entity<"Lease", LeaseSpec, LeaseStatus>;

export type AnyObject =
  | Region
  | Node
  | Tenant
  | Quota
  | PriorityClass
  | Workload
  | Replica
  | Reservation
  | Lease;

export type ObjectOf<K extends Kind> = Extract<AnyObject, { readonly kind: K }>;
