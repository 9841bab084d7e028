/** One measurement of a plane under more load than it can take: plain values between processes. */

/** What the flooding tenant sends. */
export const FLOOD_SHAPES = ["lists", "watches", "bodies", "refused", "creates"] as const;
export type FloodShape = (typeof FLOOD_SHAPES)[number];

export interface OverloadTask {
  readonly store: string;
  readonly folder: string;
  readonly nodes: number;
  readonly shapes: readonly FloodShape[];
  /** The load offered, as a multiple of what the plane takes of this shape alone. */
  readonly times: number;
  readonly seconds: number;
  /** Workloads that the flooding tenant has from the beginning, so that its lists are long. */
  readonly listed: number;
  readonly connections: number;
  readonly profile?: string | undefined;
}

export interface Latency {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** What the other tenant and the nodes noticed. */
export interface Noticed {
  readonly writes: Latency;
  readonly reads: Latency;
  /** From when a renewal of a lease was due until its answer; the latest of all. */
  readonly leaseLateMs: number;
  readonly failed: number;
}

export interface ShapeFigures extends Noticed {
  /** The larger of both p99, as a multiple of that in calm. */
  readonly timesCalm: number;
  readonly shape: FloodShape;
  readonly takenPerSecond: number;
  readonly offeredPerSecond: number;
  readonly answeredPerSecond: number;
  readonly refusedPerSecond: number;
  /** Not sent: all connections of the flood were waiting for an answer. */
  readonly heldBackPerSecond: number;
  /** Objects that were acknowledged and are not there afterwards. */
  readonly lost: number;
  /**
   * From the end of the flood until the other tenant's requests are as fast as before; null: not
   * within ten seconds.
   */
  readonly normalAfterMs: number | null;
}

export interface OverloadFigures {
  /** Of the times just before each load, together. */
  readonly calm: Noticed;
  readonly shapes: readonly ShapeFigures[];
  readonly leaseRenewals: number;
  readonly leaseFailures: number;
}
