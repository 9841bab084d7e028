/** What the rules of jobs rely on (BA7). */
import { type BatchSpec, JOB_TIME_MAX_MS } from "../../model/batch.ts";
import type { WorkloadSpec } from "../../model/objects.ts";
import type { Rejection } from "../../protocol/rejection.ts";
import { type Bad, isCount } from "./malformed-amounts.ts";

export function malformedBatch(spec: WorkloadSpec, bad: Bad): Rejection | undefined {
  const { batch, type, replicas } = spec;
  if (batch === undefined) return undefined;
  if (type !== "batch") return bad("spec.batch", "none, for it is a service", "some");
  const { completions, parallelism = 1 } = batch;
  if (!isCount(completions) || completions < 1) {
    return bad("spec.batch.completions", "a whole number, 1 or more", completions);
  }
  if (replicas !== completions) {
    return bad("spec.replicas", `${completions}, the completions`, replicas);
  }
  if (!isCount(parallelism) || parallelism < 1) {
    return bad("spec.batch.parallelism", "a whole number, 1 or more", parallelism);
  }
  return malformedBounds(batch, bad) ?? malformedCompany(spec, batch, bad);
}

function malformedBounds(batch: BatchSpec, bad: Bad): Rejection | undefined {
  for (const name of ["backoffLimit", "perIndexRetries"] as const) {
    const bound = batch[name] ?? 0;
    if (!isCount(bound)) return bad(`spec.batch.${name}`, "a whole number, 0 or more", bound);
  }
  const { activeDeadlineMs = 1, ttlMs = 0 } = batch;
  if (!isCount(activeDeadlineMs) || activeDeadlineMs < 1 || activeDeadlineMs > JOB_TIME_MAX_MS) {
    return bad("spec.batch.activeDeadlineMs", `1 to ${JOB_TIME_MAX_MS}`, activeDeadlineMs);
  }
  return isCount(ttlMs) && ttlMs <= JOB_TIME_MAX_MS
    ? undefined
    : bad("spec.batch.ttlMs", `0 to ${JOB_TIME_MAX_MS}`, ttlMs);
}

function malformedCompany(
  { gang, disruption }: WorkloadSpec,
  { completions, parallelism = 1, perIndexRetries }: BatchSpec,
  bad: Bad,
): Rejection | undefined {
  // It is counted in replicas that serve, of all that are wanted at once.
  if (disruption !== undefined) return bad("spec.disruption", "none beside spec.batch", "some");
  if (gang === undefined) return undefined;
  // It runs whole: fewer than all at once, or without one that was given up, it never would.
  if (parallelism < completions) {
    return bad("spec.batch.parallelism", `${completions}, for a gang runs whole`, parallelism);
  }
  return perIndexRetries === undefined
    ? undefined
    : bad("spec.batch.perIndexRetries", "none in a gang", perIndexRetries);
}
