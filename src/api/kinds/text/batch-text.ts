/** How often a batch is to be completed, and what it may take, as it is written in a spec. */
import { Type } from "typebox";
import { type BatchSpec, JOB_TIME_MAX_MS } from "../../../core/model/batch.ts";
import { LOAD_LIMITS } from "../../../core/model/limits/load-limits.ts";
import type { WorkloadSpec } from "../../../core/model/objects.ts";
import { formatDuration } from "../../../quantity/duration.ts";
import { duration, fields, wholeNumber } from "../../schema/shapes.ts";
import type { SpecReader } from "../spec-reader.ts";

/** As many as there may be replicas; as bounds of failures, more than anybody waits for. */
const MOST = LOAD_LIMITS.workloadReplicas.value;

export const batchFields = fields(
  "Makes a batch a job with a number of indexes, each of which must succeed once. Default: every replica is retried until it succeeds.",
  {
    completions: wholeNumber("The number of indexes that must succeed; omit spec.replicas then.", {
      from: 1,
      to: MOST,
    }),
    parallelism: Type.Optional(
      wholeNumber("The maximum number that run at once.", { from: 1, to: MOST, byDefault: 1 }),
    ),
    backoffLimit: Type.Optional(
      wholeNumber(
        "The maximum number of failures of all indexes before the job fails. Default: 6, or no limit with perIndexRetries.",
        { from: 0, to: MOST },
      ),
    ),
    perIndexRetries: Type.Optional(
      wholeNumber(
        "The maximum number of retries of one index. After that it fails; the others continue.",
        {
          from: 0,
          to: MOST,
        },
      ),
    ),
    activeDeadline: Type.Optional(
      duration("The maximum duration of the job from its first start, such as 1h.", {
        least: 1,
        most: JOB_TIME_MAX_MS,
      }),
    ),
    ttl: Type.Optional(
      duration("How long a finished job is kept before it is deleted, such as 24h.", {
        least: 0,
        most: JOB_TIME_MAX_MS,
      }),
    ),
  },
);

type BatchText = Type.Static<typeof batchFields>;

interface SpecText {
  readonly batch?: BatchText;
  readonly type?: string;
  readonly replicas?: number;
  readonly gang?: unknown;
  readonly disruption?: unknown;
}

export function readBatch(spec: SpecText, reader: SpecReader): BatchSpec | undefined {
  const { batch } = spec;
  if (batch === undefined) return undefined;
  contradictions(spec, batch, reader);
  const { completions, parallelism, backoffLimit, perIndexRetries, activeDeadline, ttl } = batch;
  return {
    completions,
    ...(parallelism === undefined ? {} : { parallelism }),
    ...(backoffLimit === undefined ? {} : { backoffLimit }),
    ...(perIndexRetries === undefined ? {} : { perIndexRetries }),
    ...(activeDeadline === undefined
      ? {}
      : {
          activeDeadlineMs: reader.durationMs("spec.batch.activeDeadline", activeDeadline, {
            least: 1,
            most: JOB_TIME_MAX_MS,
          }),
        }),
    ...(ttl === undefined
      ? {}
      : { ttlMs: reader.durationMs("spec.batch.ttl", ttl, { least: 0, most: JOB_TIME_MAX_MS }) }),
  };
}

function contradictions(
  { type = "service", replicas, gang, disruption }: SpecText,
  { completions, parallelism = 1, perIndexRetries }: BatchText,
  reader: SpecReader,
): void {
  if (type !== "batch")
    reader.mistake("spec.batch", "found on a service; expected on type: batch.");
  if (replicas !== undefined && replicas !== completions) {
    const how = "completions sets the number of indexes, parallelism how many run at once";
    reader.mistake(
      "spec.replicas",
      `found ${replicas} beside spec.batch.completions ${completions}; omit it: ${how}.`,
    );
  }
  if (disruption !== undefined) {
    const message = "found beside spec.batch; expected on workloads without batch.";
    reader.mistake("spec.disruption", message);
  }
  if (gang === undefined) return;
  if (parallelism < completions) {
    const message = `found ${parallelism}; expected ${completions}, the completions: a gang runs as a whole.`;
    reader.mistake("spec.batch.parallelism", message);
  }
  if (perIndexRetries !== undefined) {
    const message =
      "found on a gang; expected backoffLimit: a gang does not run with a member missing.";
    reader.mistake("spec.batch.perIndexRetries", message);
  }
}

export function writeBatch({ batch, replicas }: WorkloadSpec): {
  batch?: BatchText;
  replicas?: number;
} {
  if (batch === undefined) return { replicas };
  const { activeDeadlineMs, ttlMs, ...rest } = batch;
  return {
    batch: {
      ...rest,
      ...(activeDeadlineMs === undefined
        ? {}
        : { activeDeadline: formatDuration(activeDeadlineMs) }),
      ...(ttlMs === undefined ? {} : { ttl: formatDuration(ttlMs) }),
    },
  };
}
