/**
 * One measurement of the whole path, and what came of it. Plain values: they travel between
 * processes.
 */
import type { Manifest, NodeSize, WorkloadParts } from "../measure/manifests.ts";

/** Workloads that are alike but for their names: NAME-0, NAME-1 and so on. */
export interface Group {
  /** Letters and digits; a replica's name tells which group it belongs to. */
  readonly name: string;
  readonly workloads: number;
  /** Replicas of each. */
  readonly each: number;
  readonly of: Omit<WorkloadParts, "replicas">;
}

export interface FleetTask {
  readonly nodes: number;
  /** Nodes take turns. */
  readonly zones: readonly string[];
  readonly size: NodeSize;
  /** Whether somebody says for the nodes that what was asked to stop has stopped. */
  readonly answersStops: boolean;
}

/** Objects that come, or come and go, while others are measured. */
export interface ChurnTask {
  readonly objects: readonly Manifest[];
  readonly everyMs: number;
  /** `create`: a new one of each, every time. `recreate`: the one of before is deleted first. */
  readonly mode: "create" | "recreate";
}

export interface PathTask {
  /** `sqlite`, `memory`, `etcd` for members of its own, or where an etcd is. */
  readonly store: string;
  readonly folder: string;
  readonly schedulers: number;
  readonly records: boolean;
  readonly tenants: readonly string[];
  readonly priorityClasses: readonly { readonly name: string; readonly value: number }[];
  readonly fleet: FleetTask;
  /** Bound before anything is measured. */
  readonly before: readonly Group[];
  readonly measured: Group;
  readonly churn?: ChurnTask;
  /** Processes that create. */
  readonly clients: number;
  /** Connections of each. */
  readonly connections: number;
  /** Workloads a second over all clients; left out: as fast as they are answered. */
  readonly rate?: number | undefined;
  readonly patienceMs: number;
  readonly profile?: string | undefined;
}

export interface PathFigures {
  readonly boundPerSecond: number;
  /** From when the workload was sent (or was due, at a given rate) until the watcher was told. */
  readonly createToBoundP50Ms: number;
  readonly createToBoundP99Ms: number;
  readonly createToBoundMaxMs: number;
  /** Of the plane while it was measured; null where the system does not tell. */
  readonly cpuSeconds: number | null;
  /** The most the plane ever held; null where the system does not tell. */
  readonly rssMiB: number | null;
  readonly bound: number;
  readonly wanted: number;
  /** From the first create until the last bind. */
  readonly seconds: number;
  /** How long a create took to be answered. */
  readonly createP99Ms: number;
  readonly createsPerSecond: number;
  readonly clientCpuSeconds: number;
  readonly leaseRenewals: number;
  readonly leaseFailures: number;
  /** The longest time between two renewals of one node, since it joined. */
  readonly leaseGapMs: number;
  /**
   * Whether some node was silent for so long that the plane stopped placing on it: then compare
   * nothing.
   */
  readonly nodesFellSilent: boolean;
  /** How often the watcher fell so far behind that the plane showed it everything again. */
  readonly watchRelists: number;
  /** Replicas that were asked to stop, such as victims of a preemption. */
  readonly stopped: number;
  /** Objects that came or went beside what was measured, and those that the plane refused. */
  readonly churned: number;
  readonly churnRefused: number;
  readonly setUpSeconds: number;
}

export type PathOutcome =
  | {
      readonly kind: "measured";
      readonly figures: PathFigures;
      readonly curve: readonly (readonly [ms: number, bound: number])[];
    }
  /** The plane does not take what the benchmark is about; the words are the plane's. */
  | { readonly kind: "refused"; readonly message: string }
  /** What has to be there before anything can be measured did not get there. */
  | { readonly kind: "stuck"; readonly message: string };
