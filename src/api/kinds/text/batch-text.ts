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
  "Makes a batch a job: so many indexes, each of which has to succeed once. Left out: every replica is tried until it succeeds.",
  {
    completions: wholeNumber("How many indexes have to succeed; spec.replicas is left out then.", {
      from: 1,
      to: MOST,
    }),
    parallelism: Type.Optional(
      wholeNumber("At most so many of them run at once.", { from: 1, to: MOST, byDefault: 1 }),
    ),
    backoffLimit: Type.Optional(
      wholeNumber(
        "With more failures than this, over all indexes, the job has failed. Left out: 6, or no such bound with perIndexRetries.",
        { from: 0, to: MOST },
      ),
    ),
    perIndexRetries: Type.Optional(
      wholeNumber("An index that failed more often than this is given up; the others go on.", {
        from: 0,
        to: MOST,
      }),
    ),
    activeDeadline: Type.Optional(
      duration("How long the job may take from its first replica on, such as 1h.", {
        least: 1,
        most: JOB_TIME_MAX_MS,
      }),
    ),
    ttl: Type.Optional(
      duration("How long the job stays once it is finished, such as 24h; then it is deleted.", {
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
    const how = "completions says how many indexes there are, parallelism how many run at once";
    reader.mistake(
      "spec.replicas",
      `found ${replicas} beside spec.batch.completions ${completions}; expected it to be left out: ${how}.`,
    );
  }
  if (disruption !== undefined) {
    const message =
      "found beside spec.batch; expected on workloads whose replicas all run at once.";
    reader.mistake("spec.disruption", message);
  }
  if (gang === undefined) return;
  if (parallelism < completions) {
    const message = `found ${parallelism}; expected ${completions}, the completions: a gang runs whole.`;
    reader.mistake("spec.batch.parallelism", message);
  }
  if (perIndexRetries !== undefined) {
    const message =
      "found on a gang; expected backoffLimit: a gang does not run without one of it.";
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
