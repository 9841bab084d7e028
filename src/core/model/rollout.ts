/**
 * How a service moves from one template to the next. The desired state stands in the spec; how
 * far the authority has let it come stands in the status, as the indexes of each generation that
 * are wanted at this moment. Everything else is derived from these.
 */
import type { Template, Workload, WorkloadSpec } from "./objects.ts";
import { partRoundedDown, partRoundedUp, type Percentage } from "./text/percentage.ts";
import { ALL_INDEXES, NO_INDEXES, type IndexSet } from "./index-set.ts";

export interface RolloutStep {
  /** So many replicas of the new template, until the step is over. */
  readonly replicas: number;
  /** How long they are watched once all of them serve; left out: not at all. */
  readonly pauseMs?: number;
}

/** So many replicas, or such a part of `replicas`. */
export type RolloutBound = number | Percentage;

export interface RolloutSpec {
  /** At most so many replicas beyond `replicas` live at once. */
  readonly maxSurge: RolloutBound;
  /** So many of `replicas` may be out of serving for the rollout's sake. */
  readonly maxUnavailable: RolloutBound;
  /** How long it may go without progress before it has failed. */
  readonly deadlineMs: number;
  /** Left out: none, it goes as fast as the two bounds let it. */
  readonly steps?: readonly RolloutStep[];
  /** True: nothing more is begun or ended, except on the way back. Left out: false. */
  readonly paused?: boolean;
  /** Left out: "rollback". */
  readonly onFailure?: "rollback" | "hold";
}

/**
 * For services that say nothing: one more than wanted at a time, none less, and ten minutes for a
 * replica to come to serve, which is long for a process and short for a person who waits.
 */
export const DEFAULT_ROLLOUT: RolloutSpec = {
  maxSurge: 1,
  maxUnavailable: 0,
  deadlineMs: 600_000,
};

/** A day: a replica that takes longer to serve is not waited for. */
export const ROLLOUT_DEADLINE_MAX_MS = 86_400_000;

/**
 * More steps than anybody watches. They are kept with the object and sent with it, so they are
 * bounded.
 */
export const ROLLOUT_STEPS_MAX = 32;

/** Past templates that are kept, besides those of which replicas are still wanted. */
export const HISTORY_KEPT = 10;

/** The indexes of one generation that are wanted. */
export interface WantedIndexes {
  readonly generation: number;
  readonly indexes: IndexSet;
}

/**
 * "rolling": to the template of the spec. "going-back": to the last generation that served. "held":
 * it failed and stays as it is. "rolled-back": it failed, and all is as it was before it.
 */
export type RolloutStage = "rolling" | "going-back" | "held" | "rolled-back";

export interface Rollout {
  /** The last generation that served when it began; left out: none ever did. */
  readonly from?: number;
  /** The generation that is to be everywhere. */
  readonly to: number;
  readonly stage: RolloutStage;
  /** The indexes of `to` that are wanted. */
  readonly begun: IndexSet;
  /** What is still wanted of others, the newest first. */
  readonly old: readonly WantedIndexes[];
  /** The first of the spec's steps that is not over. */
  readonly step: number;
  readonly sinceMs: number;
  /** Why it failed, and where its replicas had come to. */
  readonly reason?: string;
}

/** A template that was the spec's before. */
export interface PastTemplate {
  readonly generation: number;
  readonly template: Template;
  readonly sinceMs: number;
  /** Whether all replicas of the workload served with it at some time. */
  readonly served: boolean;
  /** Why its rollout failed, if it did. */
  readonly failed?: string;
}

/** A gang starts whole, and a batch has nothing that serves: theirs are replaced all at once. */
export const rollsOut = ({ type, gang }: WorkloadSpec): boolean =>
  type === "service" && gang === undefined;

export const rolloutSpec = ({ rollout }: WorkloadSpec): RolloutSpec => rollout ?? DEFAULT_ROLLOUT;

export interface RolloutBounds {
  readonly surge: number;
  readonly unavailable: number;
}

/**
 * What both bounds come to for the replicas that are wanted now (RO11). A part is never more
 * cautious than the other bound can make up for: where rounding leaves nothing of both, one replica
 * may be out of serving, or nothing would move.
 */
export function rolloutBounds(spec: WorkloadSpec): RolloutBounds {
  const { maxSurge, maxUnavailable } = rolloutSpec(spec);
  const { replicas } = spec;
  const surge = typeof maxSurge === "number" ? maxSurge : partRoundedUp(maxSurge, replicas);
  const unavailable =
    typeof maxUnavailable === "number" ? maxUnavailable : partRoundedDown(maxUnavailable, replicas);
  return { surge, unavailable: surge + unavailable === 0 ? 1 : unavailable };
}

/** Whether something is still to be begun or ended for it. */
export const isMoving = (rollout: Rollout | undefined): rollout is Rollout =>
  rollout?.stage === "rolling" || rollout?.stage === "going-back";

/** The generation that is to be everywhere. */
export const targetOf = ({ status }: Workload): number =>
  status.rollout?.to ?? status.templateGeneration;

/** What replicas of a generation are made from; undefined when it is long forgotten. */
export function templateOf({ spec, status }: Workload, generation: number): Template | undefined {
  if (generation === status.templateGeneration) return spec.template;
  return status.history?.find((past) => past.generation === generation)?.template;
}

/** The indexes that are wanted of each generation, those of the target first. */
export function wantedOf({ status }: Workload): readonly WantedIndexes[] {
  const { rollout, templateGeneration } = status;
  if (rollout === undefined) return [{ generation: templateGeneration, indexes: ALL_INDEXES }];
  return [{ generation: rollout.to, indexes: rollout.begun }, ...rollout.old];
}

/**
 * The same indexes of the same generations, on the way to another one. Nothing is begun or ended by
 * it.
 */
export function retargeted(
  workload: Workload,
  to: number,
): Pick<Rollout, "to" | "begun" | "old" | "step"> {
  const wanted = wantedOf(workload);
  const begun = wanted.find(({ generation }) => generation === to)?.indexes ?? NO_INDEXES;
  const old = wanted.filter(({ generation, indexes }) => generation !== to && indexes.length > 0);
  return { to, begun, old, step: 0 };
}

/**
 * Whether all replicas served with it at some time: a replica of it that does not may well do so
 * again.
 */
export function hasServed({ status }: Workload, generation: number): boolean {
  if (generation === status.templateGeneration) return status.served === true;
  return status.history?.some((past) => past.generation === generation && past.served) ?? false;
}

/** The last generation that served, other than this one. */
export function lastServed({ status }: Workload, besides: number): number | undefined {
  const { history = [], served, templateGeneration } = status;
  if (served === true && templateGeneration !== besides) return templateGeneration;
  return history.findLast((past) => past.served && past.generation !== besides)?.generation;
}
