/** How far a job has come, which of its indexes failed and how, and how it ended. */
import { Type } from "typebox";
import {
  isJob,
  type Job,
  type JobFailure,
  parallelismOf,
  retriesOf,
} from "../../../core/model/batch.ts";
import { replicaKey } from "../../../core/model/ids.ts";
import type { Workload } from "../../../core/model/objects.ts";
import { givenUp } from "../../../core/observe/job-verdict.ts";
import type { ObjectIndex } from "../../../core/observe/object-index.ts";
import { rfc3339 } from "../../rfc3339.ts";
import { choice, fields, text, time } from "../../schema/shapes.ts";
import type { Condition } from "./condition.ts";

const count = (description: string) => Type.Integer({ description });

/** A job that fails as a whole is told by its first ones. */
const INDEXES_SHOWN = 32;

/** As people who know jobs from elsewhere look for them. */
export const JOB_END_REASONS: Readonly<Record<JobFailure, string>> = {
  "backoff-limit-exceeded": "BackoffLimitExceeded",
  "deadline-exceeded": "DeadlineExceeded",
  "failed-indexes": "FailedIndexes",
};

export const batchStatusFields = {
  batch: Type.Optional(
    fields("The progress of a job.", {
      completions: text("Succeeded indexes of all, such as 7/10."),
      active: count("The number of indexes that have not ended."),
      succeeded: count("The number of succeeded indexes."),
      failures: count("The number of failures of all indexes."),
      givenUp: count("The number of indexes that used up their retries."),
      failedIndexes: Type.Optional(
        Type.Array(
          fields("An index whose last process failed.", {
            index: count("Its number."),
            failures: count("The number of its failures."),
            givenUp: Type.Boolean({ description: "Whether it used up its retries." }),
            lastEnd: Type.Optional(text("How its last process ended.")),
          }),
          { description: `The first ${INDEXES_SHOWN} failed indexes that do not run.` },
        ),
      ),
      startTime: Type.Optional(time("When the first of its replicas was admitted.")),
      completionTime: Type.Optional(time("When it finished.")),
      outcome: Type.Optional(choice("How it ended.", ["succeeded", "failed"])),
      reason: Type.Optional(text("Why it failed.")),
    }),
  ),
};

const shape = fields("", batchStatusFields);
type BatchStatusText = Type.Static<typeof shape>;

export function writeBatchStatus(workload: Workload, objects: ObjectIndex): BatchStatusText {
  if (!isJob(workload)) return {};
  const { batch } = workload.spec;
  const progress = objects.jobs.of(workload);
  const { started, finished } = workload.status.batch ?? {};
  const failed = failedIndexes(workload, objects);
  return {
    batch: {
      completions: completionsText(workload, objects),
      active: progress.live.size,
      succeeded: progress.succeeded,
      failures: progress.failures,
      givenUp: givenUp(batch, progress),
      ...(failed.length === 0 ? {} : { failedIndexes: failed }),
      ...(started === undefined ? {} : { startTime: rfc3339(started.atMs) }),
      ...(finished === undefined
        ? {}
        : {
            completionTime: rfc3339(finished.atMs),
            outcome: finished.end === "succeeded" ? "succeeded" : "failed",
            ...(finished.end === "succeeded" ? {} : { reason: JOB_END_REASONS[finished.end] }),
          }),
    },
  };
}

/** `7/10` */
export const completionsText = (job: Job, { jobs }: ObjectIndex): string =>
  `${jobs.of(job).succeeded}/${job.spec.batch.completions}`;

type FailedIndex = NonNullable<NonNullable<BatchStatusText["batch"]>["failedIndexes"]>[number];

function failedIndexes(job: Job, objects: ObjectIndex): FailedIndex[] {
  const { meta, spec, status } = job;
  const failed = [...objects.jobs.of(job).resting].flatMap(([failures, indexes]) =>
    failures === 0 ? [] : [...indexes].map((index) => ({ index, failures })),
  );
  const first = failed.toSorted((a, b) => a.index - b.index).slice(0, INDEXES_SHOWN);
  return first.map(({ index, failures }) => {
    const key = replicaKey({
      tenant: meta.namespace,
      workload: meta.name,
      generation: status.templateGeneration,
      index,
    });
    const lastEnd = objects.replica(key)?.status.lastEnd;
    return {
      index,
      failures,
      givenUp: failures > retriesOf(spec.batch),
      ...(lastEnd === undefined ? {} : { lastEnd }),
    };
  });
}

/** `Complete` and `Failed`, at most one of which is true, and then for good. */
export function jobConditions(job: Job, objects: ObjectIndex): readonly Condition[] {
  const progress = objects.jobs.of(job);
  const { completions } = job.spec.batch;
  const { finished } = job.status.batch ?? {};
  const sinceMs = finished?.atMs ?? job.meta.createdMs;
  const done = `${progress.succeeded} of ${completions} indexes have succeeded`;
  const given = givenUp(job.spec.batch, progress);
  const isComplete = finished?.end === "succeeded";
  const failure = finished === undefined || finished.end === "succeeded" ? undefined : finished.end;
  const counts = `${done}, ${given} used up their retries, ${progress.failures} failures`;
  return [
    {
      type: "Complete",
      status: isComplete ? "True" : "False",
      reason: isComplete ? "AllSucceeded" : "NotAllSucceeded",
      message: `${done}.`,
      sinceMs,
    },
    {
      type: "Failed",
      status: failure === undefined ? "False" : "True",
      reason: failure === undefined ? "NotFailed" : JOB_END_REASONS[failure],
      message: `${counts}.`,
      sinceMs,
    },
  ];
}

/** What `Progressing` says of a job. */
export function jobProgress(
  job: Job,
  objects: ObjectIndex,
): Pick<Condition, "status" | "reason" | "message"> {
  const { live, succeeded } = objects.jobs.of(job);
  const { batch } = job.spec;
  const message = `${succeeded} of ${batch.completions} indexes have succeeded, ${live.size} are running.`;
  if (job.status.batch?.finished === undefined) {
    return { status: "True", reason: "JobActive", message };
  }
  return live.size === 0
    ? { status: "False", reason: "JobFinished", message }
    : { status: "True", reason: "JobStopping", message };
}

/** How many it wants to run at this moment: what is left, up to its parallelism. */
export function wantedNow(job: Job, { jobs }: ObjectIndex): number {
  const { batch } = job.spec;
  const progress = jobs.of(job);
  if (job.status.batch?.finished !== undefined) return 0;
  const left = batch.completions - progress.succeeded - givenUp(batch, progress);
  return Math.min(parallelismOf(batch), left);
}
