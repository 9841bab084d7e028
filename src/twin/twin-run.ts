/** What is asked of a twin, and what it answers. Times count from the failure. */
import type { ObjectKey } from "../core/model/ids.ts";
import type { Fleet } from "../fleet/fleet.ts";

/** Nodes that stop at once, as in a loss of power. */
export interface TwinScenario {
  readonly lose: readonly string[];
  /** How long the twin is watched after the failure. */
  readonly watchMs: number;
  /** Delays, crashes and partitions of the control plane on top of the failure. */
  readonly hasFaults: boolean;
}

export interface TwinRecovery {
  readonly workload: ObjectKey;
  /** Replicas that served before the failure. */
  readonly before: number;
  /** The fewest that served at any moment after it. */
  readonly least: number;
  /** When as many served as before; left out: not while it was watched. */
  readonly recoveredMs?: number;
  /** How long the slowest of its replicas spent in each stage. */
  readonly stages: Readonly<Record<string, number>>;
}

export interface TwinRun {
  readonly seed: number;
  readonly events: number;
  /** Of each workload that lost a replica. */
  readonly recoveries: readonly TwinRecovery[];
  /** Invariants that the run violated; none unless Berth has a bug. */
  readonly violations: readonly string[];
}

export type RunTwin = (fleet: Fleet, scenario: TwinScenario, seed: number) => TwinRun;
