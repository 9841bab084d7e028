/** What is measured of several planes on one log, and what came of it. */
import type { Latencies } from "../measure/latencies.ts";

export interface ClusterTask {
  /** `etcd` for members of its own, or where an etcd is. */
  readonly store: string;
  readonly folder: string;
  readonly leaseSeconds: number;
  /** A step that takes longer than this has failed. */
  readonly patienceMs: number;
  /**
   * A folder for profiles of where the planes' processor time went; none is left by one that is
   * killed.
   */
  readonly profile?: string | undefined;
}

export interface FailoverTask extends ClusterTask {
  /** Of each: the leader is killed, the leader is told to stop. */
  readonly rounds: number;
  /** Replicas that are bound before anything is measured. */
  readonly objects: number;
  /** Writes a second, over all planes. */
  readonly writeRate: number;
}

/** Milliseconds after the leader was killed or told to stop. */
export interface Round {
  readonly how: "killed" | "stopped";
  /** Until another plane said that it leads. */
  readonly leadsMs: number;
  /** Until the first write was acknowledged that was sent after it. */
  readonly ackedMs: number;
  /** Until a replica was bound whose workload was written after it. */
  readonly boundMs: number;
  /** The longest time in which no write was acknowledged. */
  readonly silentMs: number;
}

export interface FailoverResult {
  readonly rounds: readonly Round[];
  readonly objects: number;
  readonly fillSeconds: number;
  /** Writes that were not acknowledged, whatever became of them. */
  readonly writes: { readonly acknowledged: number; readonly failed: number };
}

export interface LagTask extends ClusterTask {
  readonly nodes: number;
  readonly replicas: number;
  readonly each: number;
  /** Replicas a second; left out: as fast as creates are answered. */
  readonly rate?: number | undefined;
}

export interface LagResult {
  /** From when a watcher of the leader was told of a bind until one of a follower was. */
  readonly lag: Latencies;
  /** Reads at followers while replicas were bound: as of now, and of whatever the follower has. */
  readonly freshRead: Latencies;
  readonly anyRead: Latencies;
  readonly reads: number;
  readonly readFailures: number;
  readonly bindsPerSecond: number;
  /** As the slowest of the watchers was told. */
  readonly bound: number;
  readonly wanted: number;
  readonly seconds: number;
  /** Beyond the first time: then another plane led meanwhile, and the figures say nothing. */
  readonly leadChanges: number;
  readonly leaseGapMs: number;
  readonly setUpSeconds: number;
}

/** What has to be there before anything can be measured did not get there. */
export class ClusterStuck extends Error {
  override readonly name = "ClusterStuck";
}
