/** What a job has come to, counted from all of its replicas, for those who check jobs. */
import type { Replica, Workload } from "../../../core/model/objects.ts";
import type { ObjectIndex } from "../../../core/observe/object-index.ts";
import { replicasOf } from "./naive-wanted.ts";

export interface JobPicture {
  readonly completions: number;
  readonly parallelism: number;
  readonly live: readonly Replica[];
  /** Of earlier templates. */
  readonly oldLive: readonly Replica[];
  readonly succeeded: number;
  readonly failures: number;
  /** Failed more often than an index may, and ended. */
  readonly givenUp: number;
  /** Ended without success, and may be tried again. */
  readonly again: readonly Replica[];
  /** Never had an incarnation. */
  readonly unborn: number;
  readonly isOverLimit: boolean;
}

// Written out, not imported: whoever changes what goes for a job that says nothing has to change it
// here.
const PARALLELISM = 1;
const BACKOFF_LIMIT = 6;

const isLiving = ({ status }: Replica): boolean =>
  !["succeeded", "failed", "released"].includes(status.stage);

/** Undefined of anything but a job. */
export function jobPicture(objects: ObjectIndex, workload: Workload): JobPicture | undefined {
  const { batch } = workload.spec;
  if (batch === undefined) return undefined;
  const all = replicasOf(objects, workload);
  const isOfToday = ({ spec }: Replica): boolean =>
    spec.generation === workload.status.templateGeneration;
  const own = all.filter(isOfToday);
  const retries = batch.perIndexRetries ?? Number.POSITIVE_INFINITY;
  const limit =
    batch.backoffLimit ??
    (batch.perIndexRetries === undefined ? BACKOFF_LIMIT : Number.POSITIVE_INFINITY);
  const ended = own.filter((each) => !isLiving(each) && each.status.stage !== "succeeded");
  const failures = own.reduce((sum, { status }) => sum + status.failures, 0);
  const again = ended.filter(({ status }) => status.failures <= retries);
  return {
    completions: batch.completions,
    parallelism: Math.min(batch.parallelism ?? PARALLELISM, batch.completions),
    live: own.filter(isLiving),
    oldLive: all.filter((each) => !isOfToday(each) && isLiving(each)),
    succeeded: own.filter(({ status }) => status.stage === "succeeded").length,
    failures,
    givenUp: ended.length - again.length,
    again,
    unborn: batch.completions - own.length,
    isOverLimit: failures > limit,
  };
}

/**
 * How it is over by what its indexes have come to, whatever the time; undefined while it is not.
 */
export function jobOver(picture: JobPicture): string | undefined {
  if (picture.succeeded === picture.completions) return "succeeded";
  if (picture.isOverLimit) return "backoff-limit-exceeded";
  const isAllTried = picture.succeeded + picture.givenUp === picture.completions;
  return isAllTried ? "failed-indexes" : undefined;
}

export const isFinished = ({ status }: Workload): boolean => status.batch?.finished !== undefined;
