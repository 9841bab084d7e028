/**
 * What is asked of a twin, and what it answers. Times count from the first event of the scenario.
 */
import type { ObjectKey } from "../core/model/ids.ts";
import type { AnyObject } from "../core/model/objects.ts";
import type { Fleet } from "../fleet/fleet.ts";

export interface TwinScenario {
  /** In the order of their times; the first is at 0. None: the fleet is watched as it is. */
  readonly events: readonly TwinEvent[];
  /** How long the twin is watched after the first event. */
  readonly watchMs: number;
  /** Delays, crashes and partitions of the control plane on top of the events. */
  readonly hasFaults: boolean;
  /** Of these the run has at least one each, in the middle of what the events set going. */
  readonly meant?: readonly MeantFault[];
  /** Of the usual load of services with an autoscaler, from the first event on; left out: 100. */
  readonly loadPercent?: number;
  /** From the start of a process to its first good probe; left out: one second. */
  readonly startUpMs?: number;
}

/** Faults of the control plane by what they make of it. */
export const MEANT_FAULTS = [
  "write-timeout",
  "stale-cache",
  "stale-quota",
  "leaked-state",
] as const;
export type MeantFault = (typeof MEANT_FAULTS)[number];

export type TwinEvent = { readonly atMs: number } & (
  | { readonly do: "lose"; readonly nodes: readonly string[] }
  /** Their agents do not come back. What they ran goes on until its leash ends. */
  | { readonly do: "stop-agent"; readonly nodes: readonly string[] }
  /** Lost nodes are switched on again, without the processes that ran on them. */
  | { readonly do: "return"; readonly nodes: readonly string[] }
  /**
   * One after the other: the next begins when the one before is empty or its deadline has passed.
   */
  | { readonly do: "drain"; readonly nodes: readonly string[]; readonly deadlineMs: number }
  | { readonly do: "restart-leader" }
  /** A second scheduler acts beside the first one, from here on. */
  | { readonly do: "second-scheduler" }
  /** Every start takes this much longer, as with a cold image cache. */
  | { readonly do: "slow-starts"; readonly byMs: number }
  /** A person writes objects: an activation of a policy, an override, a new size of a workload. */
  | { readonly do: "put"; readonly objects: readonly AnyObject[] }
);

export interface TwinRecovery {
  readonly workload: ObjectKey;
  /** Replicas that served before the failure. */
  readonly before: number;
  /** The fewest that served at any moment after it. */
  readonly least: number;
  /** When as many served as before; left out: not while it was watched. */
  readonly recoveredMs?: number;
  /** How long the slowest of its replicas spent in each stage; it may be slower than the rest. */
  readonly stages: Readonly<Record<string, number>>;
  /** Every change of how many serve, and where; left out: it is not known where. */
  readonly serving?: readonly TwinServing[];
  /** Of each replica that was lost: first those that are back, in their order. */
  readonly absences: readonly TwinAbsence[];
}

/** The time in which one replica that had served did not. */
export interface TwinAbsence {
  readonly lostMs: number;
  /** Left out: it was still missing when the watch ended. */
  readonly backMs?: number;
  /** Where it served again; left out: not again, or it is not known where. */
  readonly region?: string;
  /** They add up to the absence, or to its part that was watched. */
  readonly stages: Readonly<Record<string, number>>;
  /** The stage in which it still was when the watch ended. */
  readonly open?: string;
}

export interface TwinServing {
  readonly atMs: number;
  /** By region. */
  readonly in: Readonly<Record<string, number>>;
}

/** One wait of a replica for a place: from its admission to its bind. */
export interface TwinWait {
  readonly workload: ObjectKey;
  /** Left out: still waiting at the end. */
  readonly ms?: number;
}

export interface TwinDrain {
  readonly node: string;
  /** Left out: it was not empty at its deadline. */
  readonly emptyMs?: number;
  /** What it waited for at its deadline, as people are told. */
  readonly waitsFor?: string;
}

/** An override whose time was over while it was watched. */
export interface TwinOverride {
  readonly name: string;
  readonly overMs: number;
  /** From its end until its object was gone, or until the end of the watch. */
  readonly lateMs: number;
  readonly isGone: boolean;
  /** Objects that still wait for an override at the end, although none is left. */
  readonly stillWait?: readonly ObjectKey[];
}

export interface TwinRun {
  readonly seed: number;
  readonly events: number;
  /** Of the run: the same code, fleet, scenario and seed give the same. */
  readonly hash: string;
  /** Of each workload that lost a replica. */
  readonly recoveries: readonly TwinRecovery[];
  /** Of all replicas that became pending after the first event. */
  readonly waits: readonly TwinWait[];
  readonly drains: readonly TwinDrain[];
  /** Left out: the run does not tell. */
  readonly overrides?: readonly TwinOverride[];
  /** Meant faults that happened; left out: none. */
  readonly met?: readonly MeantFault[];
  /** The most commands that one controller sent about one object. */
  readonly mostCommands?: {
    readonly controller: string;
    readonly about: string;
    readonly count: number;
  };
  /** Invariants that the run violated; none unless Berth has a bug. */
  readonly violations: readonly string[];
}

export type RunTwin = (fleet: Fleet, scenario: TwinScenario, seed: number) => TwinRun;
