/**
 * Jobs: batches that say how often they are to be completed. An index is
 * done when a process of it succeeded, and is never begun again after that. The desired state
 * stands in the spec, when it began and how it ended in the status; everything else is counted from
 * its replicas.
 */
import type { Epoch } from "./ids.ts";
import type { Workload, WorkloadSpec } from "./objects.ts";

export interface BatchSpec {
  /** So many indexes have to succeed. The same as `replicas`: a job has an index for each. */
  readonly completions: number;
  /** At most so many of them live at once; left out: 1. */
  readonly parallelism?: number;
  /**
   * With more failures than this, over all indexes, the job has failed. Left out: see
   * `backoffLimitOf`.
   */
  readonly backoffLimit?: number;
  /** An index that failed more often than this is given up; the others go on. Left out: none is. */
  readonly perIndexRetries?: number;
  /** How long it may take from its first incarnation on; left out: for ever. */
  readonly activeDeadlineMs?: number;
  /** How long it stays once it is finished; left out: until somebody deletes it. */
  readonly ttlMs?: number;
}

/** A year: a longer time is a wrong unit. */
export const JOB_TIME_MAX_MS = 31_536_000_000;

/** What a job gets that says nothing of failures, as people know it from elsewhere. */
const DEFAULT_BACKOFF_LIMIT = 6;

/** A time on the clock of the authority of `epoch`; means nothing to any other clock. */
export interface JobMoment {
  readonly atMs: number;
  readonly epoch: Epoch;
}

export const JOB_FAILURES = [
  /** More of its processes failed than it allows. */
  "backoff-limit-exceeded",
  /** It was not done in time. */
  "deadline-exceeded",
  /** All others have succeeded, and these were given up. */
  "failed-indexes",
] as const;
export type JobFailure = (typeof JOB_FAILURES)[number];

/** How a job ends. */
export type JobEnd = "succeeded" | JobFailure;

export interface BatchStatus {
  /** When the first of its incarnations was given. */
  readonly started: JobMoment;
  /** Left out: not yet. From then on nothing of it begins. */
  readonly finished?: JobMoment & { readonly end: JobEnd };
}

export type Job = Workload & { readonly spec: WorkloadSpec & { readonly batch: BatchSpec } };

export const isJob = (workload: Workload | undefined): workload is Job =>
  workload?.spec.batch !== undefined;

export const parallelismOf = ({ completions, parallelism = 1 }: BatchSpec): number =>
  Math.min(parallelism, completions);

/**
 * Where indexes are given up one by one, the sum of their failures says nothing unless somebody
 * asks for it.
 */
export const backoffLimitOf = ({ backoffLimit, perIndexRetries }: BatchSpec): number =>
  backoffLimit ??
  (perIndexRetries === undefined ? DEFAULT_BACKOFF_LIMIT : Number.POSITIVE_INFINITY);

export const retriesOf = ({ perIndexRetries }: BatchSpec): number =>
  perIndexRetries ?? Number.POSITIVE_INFINITY;

/** How it ended, once it has. */
export const endOf = ({ status }: Workload): JobEnd | undefined => status.batch?.finished?.end;
