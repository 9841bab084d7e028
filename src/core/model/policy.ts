/**
 * How decisions are made. The rules are those of a revision, which never changes once it is
 * committed; a policy is a pointer to the one in force, everywhere or in single regions. Which one
 * that is for whom is asked in one place, `observe/policy-in-force.ts`.
 */
import type { RecoveryRules } from "./recovery-budget.ts";
import type { Revision } from "./ids.ts";
import { LOAD_LIMITS } from "./limits/load-limits.ts";
import type { ProvisioningRules } from "./node/node-pool.ts";
import type { Spread } from "./objects.ts";
import { FENCE_AFTER_MS, LEASE_MS, RENEW_EVERY_MS } from "./timing.ts";

/** Ways of scoring nodes; one file each in `propose/policies`. */
export const SCORINGS = ["best-fit", "spread-out", "fragmentation"] as const;
export type Scoring = (typeof SCORINGS)[number];

/** For workloads that name none. */
export const DEFAULT_POLICY = "default";

/**
 * Who may not take whose place, beside what priority classes say of themselves. It only ever takes
 * rights away.
 */
export interface PreemptionRules {
  /** Bands whose work never preempts. */
  readonly never?: readonly string[];
  /** In each set: bands whose work does not take each other's place. */
  readonly apart?: readonly (readonly string[])[];
}

/** How long a node may be silent before it is called so. Left out: as built in. */
export interface HealthTimes {
  readonly suspectAfterMs?: number;
  readonly unknownAfterMs?: number;
}

/** How often and how soon controllers try again. Left out: as built in. */
export interface RetryTerms {
  readonly attempts?: number;
  readonly backoffFirstMs?: number;
  readonly backoffMostMs?: number;
}

/** Within which replicas are added and taken by themselves. */
export interface ScalingBounds {
  readonly minReplicas?: number;
  readonly maxReplicas?: number;
  /** The most replicas that one step adds or takes. */
  readonly stepMost?: number;
  /** How long a recommendation of fewer must last. */
  readonly stabilizationMs?: number;
}

/** Work that a partitioned region may still take (DG3, DG4). */
export interface DegradedRules {
  /**
   * Priority classes whose work is of low risk; the empty name: work without a class. Each once.
   */
  readonly lowRisk: readonly string[];
  /** Bindings there are confirmed within this time, or evicted. Left out: as built in. */
  readonly confirmWithinMs?: number;
}

/**
 * What becomes of a side effect when the revision that it came of is left for an earlier one.
 * "preserve": it stays. "drain": all of it goes, and is decided anew. "repair": what the rules now
 * in force would not allow goes.
 */
export const ROLLBACK_WAYS = ["preserve", "drain", "repair"] as const;
export type RollbackWay = (typeof ROLLBACK_WAYS)[number];

export interface RollbackPlan {
  readonly bindings: RollbackWay;
  /** Room that is held for those whom others make room for. */
  readonly reservations: RollbackWay;
}

/** Nothing that runs is touched unless somebody said so. */
export const PRESERVE_ALL: RollbackPlan = { bindings: "preserve", reservations: "preserve" };

export interface PolicyRules {
  readonly scoring: Scoring;
  readonly preemption?: PreemptionRules;
  /** For workloads that declare none of their own. */
  readonly spread?: readonly Spread[];
  readonly health?: HealthTimes;
  readonly retries?: RetryTerms;
  readonly autoscaling?: ScalingBounds;
  /** Of `default` alone, wherever no stage is. Left out: recoveries are not budgeted. */
  readonly recovery?: RecoveryRules;
  readonly provisioning?: ProvisioningRules;
  /**
   * Of `default`. Left out: nothing is of low risk, and a partitioned region is given nothing.
   */
  readonly degraded?: DegradedRules;
  /** Left out: everything is preserved. */
  readonly onRollback?: Partial<RollbackPlan>;
}

export type PolicyRevisionSpec = PolicyRules;

export interface PolicyRevisionStatus {
  /**
   * Where in the log it was made: of two revisions the one with the lower number is the earlier.
   */
  readonly madeAt: Revision;
}

export interface RegionStage {
  readonly region: string;
  /** The name of the revision that is in force there. */
  readonly revision: string;
}

/**
 * Either a pointer (`active`), or the scoring itself, which acts like a revision that has no name.
 */
export interface PolicySpec {
  readonly scoring?: Scoring;
  /** The name of the revision that is in force wherever no stage says otherwise. */
  readonly active?: string;
  /** In the order of their regions; each names another revision than `active`. Left out: none. */
  readonly stages?: readonly RegionStage[];
}

/** One move of the pointer. */
export interface Activation {
  readonly by: string;
  readonly atMs: number;
  /** Left out: everywhere. */
  readonly region?: string;
  /** The empty text: no revision with a name. */
  readonly from: string;
  readonly to: string;
  readonly reason: string;
  /** It was left for an earlier one, and this is what becomes of what came of it. */
  readonly rollback?: RollbackPlan;
  /** Of a way back: so many recovery budgets were there, and stay as they are (BU2). */
  readonly budgetsKept?: number;
}

/** A revision that was left for an earlier one while something that came of it is still there. */
export interface LeftRevision {
  readonly revision: string;
  /** Left out: everywhere. */
  readonly region?: string;
  readonly plan: RollbackPlan;
}

export interface PolicyStatus {
  /** The latest last. */
  readonly history?: readonly Activation[];
  readonly left?: readonly LeftRevision[];
  /** The number of the last budget that it granted: names the next, and grows only. */
  readonly granted?: number;
}

/**
 * Two moves a day for two weeks: enough to see what led here, little enough to be sent with every
 * read.
 */
export const ACTIVATIONS_KEPT = 32;

/** A sentence or two. */
export const REASON_MOST = 256;

/** A reader cannot tell more regions, spreads or bands apart in one object. */
export const POLICY_LIST_MOST = 64;

/**
 * One renewal may be late before a node is suspect, and no node is called unknown while its lease
 * may still last. Fencing is none of a policy's business: an agent's processes are dead by
 * FENCE_AFTER_MS and not before (EV3).
 */
export const HEALTH_BOUNDS_MS = {
  suspect: { least: RENEW_EVERY_MS + 1_000, most: FENCE_AFTER_MS },
  unknown: { least: LEASE_MS, most: FENCE_AFTER_MS },
} as const;

/**
 * Never more often or sooner than is built in: a policy may spare a struggling plane, not flood it
 * (RN3).
 */
export const RETRY_BOUNDS = {
  attempts: { least: 1, most: 6 },
  backoffFirstMs: { least: 100, most: 10_000 },
  backoffMostMs: { least: 1_000, most: 60_000 },
} as const;

/** A service of more replicas than fit into a hundred commands is another kind of thing. */
export const SCALED_REPLICAS_MOST = LOAD_LIMITS.workloadReplicas.value;
/** A day: what has been stable for that long is stable. */
export const STABILIZATION_MOST_MS = 86_400_000;

/** Long enough for people to mend a link; a decision that stays unchecked for longer is a guess. */
export const CONFIRM_WITHIN_MS = 600_000;
/** Sooner, it could not be confirmed; a day without confirmation is a second plane. */
export const CONFIRM_BOUNDS_MS = { least: 1_000, most: 86_400_000 } as const;

export const planOf = ({ onRollback }: PolicyRules): RollbackPlan => ({
  ...PRESERVE_ALL,
  ...onRollback,
});

/** Whether work of the one band may not take the place of work of the other, by these rules. */
export function bandsKeptApart(
  rules: PolicyRules,
  by: string | undefined,
  victim: string | undefined,
): boolean {
  const { preemption } = rules;
  if (preemption === undefined || by === undefined || by === "") return false;
  if (preemption.never?.includes(by) === true) return true;
  if (victim === undefined) return false;
  return preemption.apart?.some((set) => set.includes(by) && set.includes(victim)) ?? false;
}
