/**
 * Says that a job is over, and how. The proposer has counted on a view; here it is counted on the
 * truth, and time is the authority's own (BA5). It is said once for a template, and nothing of the
 * job begins afterwards.
 */
import { isJob, type Job, type JobEnd } from "../../model/batch.ts";
import type { Evidence } from "../../model/evidence.ts";
import type { AnyObject, Workload } from "../../model/objects.ts";
import { jobVerdict } from "../../observe/job-verdict.ts";
import type { IntentOf } from "../../protocol/command.ts";
import { type CommitContext, changed, missing, touched, type Verdict } from "../verdict.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";
import { sinceMoment } from "../checks/batch-incarnations.ts";

export function checkFinish(context: CommitContext, intent: IntentOf<"finish">): Verdict {
  const workload = context.ledger.objects.workload(intent.workload);
  if (workload === undefined) return missing(intent.workload);
  const { key, meta, status } = workload;
  if (context.role !== "finish-batch") {
    return reject("not-owner", key, "finish-batch", context.role);
  }
  if (meta.deletingMs !== undefined) {
    return reject("being-deleted", key, "not being deleted", "being deleted");
  }
  if (!isJob(workload) || status.batch === undefined) {
    return reject("job-unfinished", key, "a job that has begun", workload.spec.type);
  }
  const { batch, templateGeneration } = status;
  if (templateGeneration !== intent.generation) {
    return reject("generation-changed", `${key} template`, intent.generation, templateGeneration);
  }
  if (batch.finished !== undefined) {
    return reject("job-finished", key, "not finished", batch.finished.end);
  }
  const open = stillOpen(context, workload, intent.end);
  if (open !== undefined) return open;
  const finished = { end: intent.end, atMs: context.nowMs, epoch: context.ledger.epoch };
  const after: Workload = {
    ...workload,
    meta: touched(meta, context.next),
    status: { ...status, batch: { ...batch, finished } },
  };
  return [changed<Workload>(workload, after)];
}

function stillOpen(context: CommitContext, job: Job, end: JobEnd): Rejection | undefined {
  const { key, spec, status } = job;
  const truth = jobVerdict(spec.batch, context.ledger.objects.jobs.of(job));
  // All is done: that it was late for it is not said of it any more.
  if (end !== "deadline-exceeded" || truth === "succeeded") {
    return truth === end ? undefined : reject("job-unfinished", key, end, truth ?? "still open");
  }
  const { activeDeadlineMs } = spec.batch;
  const { started } = status.batch ?? {};
  if (activeDeadlineMs === undefined || started === undefined) {
    return reject("job-unfinished", key, end, "no deadline");
  }
  const activeMs = sinceMoment(context, started);
  return activeMs >= activeDeadlineMs
    ? undefined
    : reject("job-unfinished", key, `active for ${activeDeadlineMs} ms`, `${activeMs} ms`);
}

/**
 * Only what has been finished for as long as it says goes by itself (BA6); all else is a person's
 * to delete.
 */
export function ttlNotOver(
  context: CommitContext,
  held: AnyObject,
  evidence: Evidence | undefined,
): Rejection | undefined {
  const workload = held.kind === "Workload" && isJob(held) ? held : undefined;
  const { finished } = workload?.status.batch ?? {};
  const ttlMs = workload?.spec.batch.ttlMs;
  if (finished === undefined || ttlMs === undefined) {
    return reject("not-owner", held.key, "user", context.role);
  }
  if (evidence?.kind !== "job-ttl") {
    return reject("evidence-missing", held.key, "job-ttl", evidence?.kind ?? "none");
  }
  if (evidence.workload !== held.key) {
    return reject("evidence-wrong", held.key, held.key, evidence.workload);
  }
  const leftMs = ttlMs - sinceMoment(context, finished);
  return leftMs <= 0
    ? undefined
    : reject("job-ttl", held.key, "finished long enough", `${leftMs} ms left`);
}
