/**
 * Says that a job is over, and how. The proposer has counted on a view; here it is counted on the truth, and
 * time is the authority's own (BA5). It is said once for a template, and nothing of the job begins afterwards.
 */
import { isJob, type Job, type JobEnd } from "../../model/batch.ts";
import type { Evidence } from "../../model/evidence.ts";
import type { AnyObject, Workload } from "../../model/objects.ts";
import { jobVerdict } from "../../observe/job-verdict.ts";
import type { IntentOf } from "../../protocol/command.ts";
import { type Bench, changed, missing, touched, type Verdict } from "../verdict.ts";
import { no, type No } from "../../protocol/no.ts";
import { sinceMoment } from "../checks/batch-lives.ts";

export function judgeFinish(bench: Bench, intent: IntentOf<"finish">): Verdict {
  const workload = bench.ledger.objects.workload(intent.workload);
  if (workload === undefined) return missing(intent.workload);
  const { key, meta, status } = workload;
  if (bench.role !== "finish-batch") return no("not-owner", key, "finish-batch", bench.role);
  if (meta.deletingMs !== undefined) {
    return no("being-deleted", key, "not being deleted", "being deleted");
  }
  if (!isJob(workload) || status.batch === undefined) {
    return no("job-unfinished", key, "a job that has begun", workload.spec.type);
  }
  const { batch, templateGeneration } = status;
  if (templateGeneration !== intent.generation) {
    return no("generation-changed", `${key} template`, intent.generation, templateGeneration);
  }
  if (batch.finished !== undefined) {
    return no("job-finished", key, "not finished", batch.finished.end);
  }
  const open = stillOpen(bench, workload, intent.end);
  if (open !== undefined) return open;
  const finished = { end: intent.end, atMs: bench.nowMs, epoch: bench.ledger.epoch };
  const after: Workload = {
    ...workload,
    meta: touched(meta, bench.next),
    status: { ...status, batch: { ...batch, finished } },
  };
  return [changed<Workload>(workload, after)];
}

function stillOpen(bench: Bench, job: Job, end: JobEnd): No | undefined {
  const { key, spec, status } = job;
  const truth = jobVerdict(spec.batch, bench.ledger.objects.jobs.of(job));
  // All is done: that it was late for it is not said of it any more.
  if (end !== "deadline-exceeded" || truth === "succeeded") {
    return truth === end ? undefined : no("job-unfinished", key, end, truth ?? "still open");
  }
  const { activeDeadlineMs } = spec.batch;
  const { started } = status.batch ?? {};
  if (activeDeadlineMs === undefined || started === undefined) {
    return no("job-unfinished", key, end, "no deadline");
  }
  const activeMs = sinceMoment(bench, started);
  return activeMs >= activeDeadlineMs
    ? undefined
    : no("job-unfinished", key, `active for ${activeDeadlineMs} ms`, `${activeMs} ms`);
}

/** Only what has been finished for as long as it says goes by itself (BA6); all else is a person's to delete. */
export function ttlNotOver(
  bench: Bench,
  held: AnyObject,
  evidence: Evidence | undefined,
): No | undefined {
  const workload = held.kind === "Workload" && isJob(held) ? held : undefined;
  const { finished } = workload?.status.batch ?? {};
  const ttlMs = workload?.spec.batch.ttlMs;
  if (finished === undefined || ttlMs === undefined) {
    return no("not-owner", held.key, "user", bench.role);
  }
  if (evidence?.kind !== "job-ttl") {
    return no("evidence-missing", held.key, "job-ttl", evidence?.kind ?? "none");
  }
  if (evidence.workload !== held.key) {
    return no("evidence-wrong", held.key, held.key, evidence.workload);
  }
  const leftMs = ttlMs - sinceMoment(bench, finished);
  return leftMs <= 0
    ? undefined
    : no("job-ttl", held.key, "finished long enough", `${leftMs} ms left`);
}
