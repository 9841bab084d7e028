/** One measurement of placing, and what came of it. Plain values: they travel between processes. */

export interface PlaceTask {
  readonly nodes: number;
  readonly replicas: number;
  /** How many replicas a workload has; the last one takes what is left. */
  readonly each: number;
  /** `sqlite`, `memory`, `etcd` for members of its own, or where an etcd is. */
  readonly store: string;
  /** Where the log goes; not used by the memory store. */
  readonly folder: string;
  readonly schedulers: number;
  /** The scoring policy that the workloads name; left out: the default one. */
  readonly policy?: string | undefined;
  /** Whether every node's lease is renewed, as its agent would, and node-health watches over it. */
  readonly leases: boolean;
  /** Whether the plane keeps metrics and traces, as one that is served does. */
  readonly telemetry?: boolean;
  /** Nothing bound for this long: given up, and the result says how far it came. */
  readonly patienceMs: number;
}

export interface PlaceFigures {
  readonly bindsPerSecond: number;
  /**
   * From the submission of the workload until the bind of the replica was published, that is
   * durable.
   */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** The most the process ever held: authority, controllers, log and benchmark together. */
  readonly rssMiB: number;
  /**
   * Commands of controllers, of one bind or of many, that were turned down because their view was
   * old.
   */
  readonly conflicts: number;
  /** Commands of controllers that another had asked for before; several schedulers see the same. */
  readonly duplicates: number;
  readonly bound: number;
  readonly wanted: number;
  /** From the first submission until the last bind. */
  readonly seconds: number;
  /** Of the whole process in that time, the log's thread included. */
  readonly cpuSeconds: number;
  /** Until the nodes were there and ready; not part of the measurement. */
  readonly setUpSeconds: number;
  readonly leaseRenewals: number;
}

export interface PlaceResult {
  readonly figures: PlaceFigures;
  /** How many were bound after how many milliseconds; thinned out. */
  readonly curve: readonly (readonly [ms: number, bound: number])[];
}
