/**
 * The autoscaler of one service: how many replicas it has follows from what they are asked to do.
 * Samples come from outside and are not committed; decisions use one small observation at a time,
 * which is in the log, so that a replay sees the same.
 */
import type { JobMoment } from "./batch.ts";
import { type ObjectKey, workloadKey } from "./ids.ts";
import type { Autoscaler } from "./objects.ts";

/**
 * "cpu": percent of what a replica asks for. "requests": a second. "metric": whatever is pushed
 * under its name.
 */
export const TARGET_KINDS = ["cpu", "requests", "metric"] as const;
export type TargetKind = (typeof TARGET_KINDS)[number];

export interface ScaleTarget {
  readonly kind: TargetKind;
  /** Of a metric only: what it is pushed as. */
  readonly name?: string;
  /** What one replica is to have of it. */
  readonly value: number;
}

/** How fast it may go in one direction. */
export interface ScaleRate {
  /** How long a recommendation must have lasted. */
  readonly windowMs?: number;
  /**
   * The most that one step may be: so many replicas, or such a part of those there are, whichever
   * is more.
   */
  readonly replicas?: number;
  readonly percent?: number;
  /** One step in this direction, and no other before so much time has passed. */
  readonly periodMs?: number;
}

export interface AutoscalerSpec {
  /** The name of a service of the same tenant. */
  readonly workload: string;
  readonly min: number;
  readonly max: number;
  readonly target: ScaleTarget;
  /**
   * So many are to serve: for each that is lost for now, one more is asked for. Left out: not
   * counted.
   */
  readonly readiness?: number;
  readonly up?: ScaleRate;
  readonly down?: ScaleRate;
  /** How long it leaves a number alone that somebody else wrote. */
  readonly manualHoldMs?: number;
}

/** What was measured, all samples of a while in one. */
export interface LoadReading {
  /** In thousandths of the target's unit, over all replicas that are covered. */
  readonly sumMillis: number;
  /** How many replicas there are samples of. */
  readonly covered: number;
  /** How many served when they were taken. */
  readonly of: number;
  /** The samples are of so long a time. */
  readonly windowMs: number;
  /**
   * Of one that served and was not measured: which it is, and why. For people; nothing is decided
   * by it.
   */
  readonly missing?: string;
}

export interface Observation extends LoadReading, JobMoment {
  /** Counts the observations of this autoscaler. */
  readonly seq: number;
}

/**
 * The recommendations of a part of a window, as one. Left out: unknown, because samples were
 * missing.
 */
export interface Recommendation extends JobMoment {
  readonly replicas?: number;
}

export interface ScaleStep extends JobMoment {
  readonly from: number;
  readonly to: number;
}

/** All times are on the clock of the leadership that made the last observation. */
export interface AutoscalerStatus {
  readonly observed?: Observation;
  /** The lowest recommendations, by parts of the window for more; the oldest first. */
  readonly least?: readonly Recommendation[];
  /** The most, by parts of the window for fewer. */
  readonly most?: readonly Recommendation[];
  /**
   * Since when no recommendation was forgotten of those for more, and for fewer: a window that
   * begins before is not known in whole.
   */
  readonly leastSince?: JobMoment;
  readonly mostSince?: JobMoment;
  /**
   * The number of the workload as it was last observed or written here: another is somebody else's.
   */
  readonly replicas?: number;
  /** When a number was found that somebody else had written. */
  readonly manual?: JobMoment;
  readonly lastUp?: ScaleStep;
  readonly lastDown?: ScaleStep;
}

/** The log takes one observation of a workload in so much time, however many samples there are. */
export const OBSERVE_EVERY_MS = 5_000;
/**
 * Three looks of a gauge that looks every ten seconds: who has heard nothing for longer knows
 * nothing.
 */
export const OBSERVATION_OLD_MS = 30_000;
/** A tenth off the target is no reason to do anything: samples are no more exact than that. */
export const TOLERANCE_PART = 10;
/**
 * A replica that is bound, or starting, for longer than this before its first good probe is slow,
 * and others like it would be.
 */
export const SLOW_START_MS = 30_000;
/**
 * A window is kept in so many parts: it is remembered for a sixteenth too long, never too short.
 */
export const WINDOW_PARTS = 16;

export const PACE_UP = { windowMs: 0, replicas: 4, percent: 100, periodMs: 15_000 } as const;
/** Five minutes: scaling down too early is undone again. */
export const PACE_DOWN = { windowMs: 300_000, replicas: 1, percent: 50, periodMs: 60_000 } as const;
/** A person who scales by hand watches the result, and continues or is done. */
export const MANUAL_HOLD_MS = 300_000;

/** An hour: what has been so for that long is so. */
export const WINDOW_MOST_MS = 3_600_000;
/** A day: longer is no pause but an end. */
export const HOLD_MOST_MS = 86_400_000;
/** With a hundred thousand replicas, each at its target, sums are still exact. */
export const TARGET_MOST = 1_000_000;
export const SUM_MOST_MILLIS = 100_000_000_000_000;
/** A sentence, and no more: it is written to the log with every observation. */
export const MISSING_MOST_CHARACTERS = 512;
/** Tenfold in one step is a leap, not a step. */
export const PERCENT_MOST = 1_000;

export type FullScaleRate = Required<ScaleRate>;

/** An omitted part has its default; a bound that is omitted beside another is none. */
export function rateOf(pace: ScaleRate = {}, usual: FullScaleRate): FullScaleRate {
  const isBounded = pace.replicas !== undefined || pace.percent !== undefined;
  return {
    windowMs: pace.windowMs ?? usual.windowMs,
    periodMs: pace.periodMs ?? usual.periodMs,
    replicas: pace.replicas ?? (isBounded ? 0 : usual.replicas),
    percent: pace.percent ?? (isBounded ? 0 : usual.percent),
  };
}

export const targetMillis = ({ value }: ScaleTarget): number => value * 1_000;

export const scaledWorkload = ({ meta, spec }: Autoscaler): ObjectKey =>
  workloadKey(meta.namespace, spec.workload);

export const autoscalerKey = (tenant: string, name: string): ObjectKey =>
  `Autoscaler/${tenant}/${name}` as ObjectKey;
