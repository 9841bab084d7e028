/**
 * The recovery objective of a service: so many replicas serve again within a time after they were
 * lost, on room that is kept free for them in regions that are named. What is wanted stands in the
 * spec; what is under way and how the last recovery went stands in the status, as the authority
 * measured it.
 */
import type { JobMoment } from "./batch.ts";
import type { Workload, WorkloadStatus } from "./objects.ts";

export interface RecoverySpec {
  /** After a loss as many serve again within this time. */
  readonly withinMs: number;
  /** How many; no more than the workload has are meant. */
  readonly replicas: number;
  /** Where room is kept for those that do not run there already. */
  readonly regions: readonly string[];
}

/** A day: a slower recovery needs no reserve. */
export const RECOVERY_WITHIN_MAX_MS = 86_400_000;

/** One command can hold room for all of them, and every look at the workload counts them. */
export const RECOVERY_REPLICAS_MAX = 1_024;

/**
 * Time at a stage is written down this often while something depends on it. A leadership that comes
 * next knows of an earlier one's time only what was written: so it loses no more than this, for a
 * small commit every half a minute.
 */
export const RECOVERY_NOTED_MS = 30_000;

/**
 * How far the replica has come on which the recovery waits. "lost": it has no incarnation that is
 * in the queue yet, or its node is silent.
 */
export const RECOVERY_STAGES = ["lost", "queued", "bound", "starting", "ready"] as const;
export type RecoveryStage = (typeof RECOVERY_STAGES)[number];

export type SpentMs = Readonly<Partial<Record<RecoveryStage, number>>>;

/** A recovery that is under way. */
export interface Recovering {
  /** On the clock of the authority that noticed the loss. */
  readonly beganMs: number;
  /** The most that were missing at once. */
  readonly lost: number;
  readonly stage: RecoveryStage;
  /** Since when it is at that stage. */
  readonly since: JobMoment;
  /** What it spent at stages before, the present one included when it was there before. */
  readonly spentMs: SpentMs;
  /** Set once its time was over: the stage that had taken most of it. */
  readonly missed?: RecoveryStage;
  /** Set once its fairness window was over: it queues in the normal order (BU8). */
  readonly inTurn?: true;
}

/** The last recovery, which is over. */
export interface Recovered {
  readonly beganMs: number;
  readonly tookMs: number;
  readonly lost: number;
  readonly spentMs: SpentMs;
  /** Set when it took longer than it was to: the stage that had taken most of the time. */
  readonly missed?: RecoveryStage;
}

export interface RecoveryStatus {
  /**
   * So many served at once: from then on fewer are a loss. Left out: as many as are asked for never
   * did.
   */
  readonly reached?: number;
  /** How often room was held for it: names the next hold, and grows only. */
  readonly holds?: number;
  readonly under?: Recovering;
  readonly last?: Recovered;
}

/** How many replicas the objective is about. */
export const recoveryTarget = ({ meta, spec }: Workload): number =>
  meta.deletingMs === undefined ? Math.min(spec.recovery?.replicas ?? 0, spec.replicas) : 0;

export const isRecovering = (workload: Workload | undefined): boolean =>
  workload?.status.recovery?.under !== undefined;

export const spentInAll = (spentMs: SpentMs): number =>
  RECOVERY_STAGES.reduce((sum, stage) => sum + (spentMs[stage] ?? 0), 0);

/** The stage that took most of the time; the earlier of two that took as long. */
export function slowestStage(spentMs: SpentMs): RecoveryStage {
  let slowest: RecoveryStage = "lost";
  for (const stage of RECOVERY_STAGES) {
    if ((spentMs[stage] ?? 0) > (spentMs[slowest] ?? 0)) slowest = stage;
  }
  return slowest;
}

/**
 * What a put leaves of it: fewer replicas that are asked for are no loss, and the next hold has a
 * name of its own.
 */
export function recoveryAfterPut(held: Workload, next: Workload): Pick<WorkloadStatus, "recovery"> {
  const { recovery: was } = held.status;
  if (was === undefined) return {};
  const { holds, reached } = was;
  if (next.spec.recovery === undefined) return holds === undefined ? {} : { recovery: { holds } };
  if (reached === undefined) return { recovery: was };
  return { recovery: { ...was, reached: Math.min(reached, recoveryTarget(next)) } };
}
