/**
 * One measurement of the whole path, and its result. Plain values: they travel between processes.
 */
import type { Manifest, NodeSize, WorkloadParts } from "../measure/manifests.ts";

/** Workloads that differ only in their names: NAME-0, NAME-1 and so on. */
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
  /** Whether the benchmark reports, for the nodes, that stopping replicas have stopped. */
  readonly answersStops: boolean;
}

/** Objects that are created, or created and deleted, during the measurement. */
export interface ChurnTask {
  readonly objects: readonly Manifest[];
  readonly everyMs: number;
  /** `create`: a new one of each, every time. `recreate`: the previous one is deleted first. */
  readonly mode: "create" | "recreate";
}

export interface PathTask {
  /** `sqlite`, `memory`, `etcd` for members of its own, or the address of an etcd. */
  readonly store: string;
  readonly folder: string;
  readonly schedulers: number;
  readonly records: boolean;
  readonly tenants: readonly string[];
  readonly priorityClasses: readonly { readonly name: string; readonly value: number }[];
  readonly fleet: FleetTask;
  /** Bound before the measurement. */
  readonly before: readonly Group[];
  readonly measured: Group;
  readonly churn?: ChurnTask;
  /** Processes that create. */
  readonly clients: number;
  /** Connections of each. */
  readonly connections: number;
  /** Workloads a second over all clients; left out: as fast as the plane answers. */
  readonly rate?: number | undefined;
  readonly patienceMs: number;
  readonly profile?: string | undefined;
}

export interface PathFigures {
  readonly boundPerSecond: number;
  /**
   * From the send of the workload (or its due time, at a given rate) until the watcher saw the
   * bind.
   */
  readonly createToBoundP50Ms: number;
  readonly createToBoundP99Ms: number;
  readonly createToBoundMaxMs: number;
  /** Of the plane during the measurement; null where the system does not report it. */
  readonly cpuSeconds: number | null;
  /** The peak of the plane; null where the system does not report it. */
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
   * Whether some node was silent for so long that the plane stopped placing on it: the result is
   * then not comparable.
   */
  readonly nodesFellSilent: boolean;
  /** How often the watcher fell so far behind that the plane sent it all objects again. */
  readonly watchRelists: number;
  /** Replicas that were asked to stop, such as victims of a preemption. */
  readonly stopped: number;
  /**
   * Objects that were created or deleted beside the measurement, and those that the plane refused.
   */
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
  /** The plane refuses an object of the benchmark; the words are the plane's. */
  | { readonly kind: "refused"; readonly message: string }
  /** The preparation of the measurement did not finish. */
  | { readonly kind: "stuck"; readonly message: string };
