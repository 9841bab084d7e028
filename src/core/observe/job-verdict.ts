/**
 * How a job stands by what its indexes have come to: whether it is over, and how. The controller
 * asks this of a view, the authority of the truth. Time is not looked at here: only the authority
 * knows how long it has been.
 */
import { backoffLimitOf, type BatchSpec, type JobEnd, retriesOf } from "../model/batch.ts";
import type { JobCounts } from "./job-counters.ts";

/** Undefined while there is something left to try. */
export function jobVerdict(
  batch: BatchSpec,
  counts: JobCounts,
): Exclude<JobEnd, "deadline-exceeded"> | undefined {
  if (counts.succeeded >= batch.completions) return "succeeded";
  if (counts.failures > backoffLimitOf(batch)) return "backoff-limit-exceeded";
  const given = givenUp(batch, counts);
  // Those that still run are let run: each of them may succeed, and is worth having.
  return given > 0 && given + counts.succeeded >= batch.completions ? "failed-indexes" : undefined;
}

/** How many indexes have failed more often than each of them may, and are not tried again. */
export function givenUp(batch: BatchSpec, { resting }: JobCounts): number {
  const retries = retriesOf(batch);
  let given = 0;
  for (const [failures, indexes] of resting) if (failures > retries) given += indexes.size;
  return given;
}
