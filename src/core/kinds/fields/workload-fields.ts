/** What a workload says beside its template: how it runs, rolls out, recovers and completes. */
import { type BatchSpec, JOB_TIME_MAX_MS } from "../../model/batch.ts";
import type { Disruption } from "../../model/disruption.ts";
import { type Gang, GANG_DEADLINE_MAX_MS } from "../../model/gang.ts";
import { LOAD_LIMITS } from "../../model/limits/load-limits.ts";
import type { WorkloadSpec } from "../../model/objects.ts";
import {
  RECOVERY_REPLICAS_MAX,
  RECOVERY_WITHIN_MAX_MS,
  type RecoverySpec,
} from "../../model/recovery.ts";
import {
  DEFAULT_ROLLOUT,
  ROLLOUT_DEADLINE_MAX_MS,
  ROLLOUT_STEPS_MAX,
  type RolloutSpec,
  type RolloutStep,
} from "../../model/rollout.ts";
import {
  choice,
  count,
  countOrPercentage,
  duration,
  type FieldsOf,
  filled,
  flag,
  implied,
  list,
  name,
  object,
  optional,
  shown,
  usually,
} from "./field.ts";

const MOST = LOAD_LIMITS.workloadReplicas.value;
export const REPLICAS = { least: 0, most: MOST } as const;
const SOME = { least: 1, most: MOST } as const;

export const TYPE = shown(
  filled(
    choice("A service runs until it is stopped; the replicas of a batch run until they succeed.", [
      "service",
      "batch",
    ]),
    "service",
  ),
  { name: "Type", about: "Service or batch.", isWide: true },
);

const rollout: FieldsOf<RolloutSpec> = {
  maxSurge: filled(
    countOrPercentage(
      "The maximum number of replicas beyond spec.replicas; a percentage of spec.replicas is rounded up.",
      MOST,
    ),
    DEFAULT_ROLLOUT.maxSurge,
  ),
  maxUnavailable: filled(
    countOrPercentage(
      "The maximum number of spec.replicas that may be unavailable; a percentage, at most 100%, is rounded down.",
      MOST,
    ),
    DEFAULT_ROLLOUT.maxUnavailable,
  ),
  deadlineMs: filled(
    duration("How long it may go without progress before it fails.", {
      least: 1,
      most: ROLLOUT_DEADLINE_MAX_MS,
    }),
    DEFAULT_ROLLOUT.deadlineMs,
  ),
  steps: optional(
    list(
      "The steps, each with more replicas than the one before.",
      object<RolloutStep>("A step of the rollout.", {
        replicas: count("The number of replicas of the new template in this step.", SOME),
        pauseMs: usually(
          duration("How long they must serve before the next step, such as 2m.", {
            least: 0,
            most: ROLLOUT_DEADLINE_MAX_MS,
          }),
          0,
        ),
      }),
      { most: ROLLOUT_STEPS_MAX },
    ),
  ),
  paused: implied(
    flag("True: the rollout starts and stops no replicas, except for a rollback."),
    false,
  ),
  onFailure: implied(
    choice("What happens if it fails: roll back to the last template that served, or hold.", [
      "rollback",
      "hold",
    ]),
    "rollback",
  ),
};

const recovery: FieldsOf<RecoverySpec> = {
  withinMs: duration(
    "The time within which the replicas must serve again after a loss, such as 5m.",
    { least: 1, most: RECOVERY_WITHIN_MAX_MS },
  ),
  replicas: count("The number of replicas; at most spec.replicas count.", {
    least: 1,
    most: RECOVERY_REPLICAS_MAX,
  }),
  regions: {
    ...list(
      "The regions with the recovery reserve, for replicas that do not run there already.",
      name("The name of a region.", "Region"),
      { least: 1, repeated: "refused" },
    ),
    as: "in",
  },
};

const batch: FieldsOf<BatchSpec> = {
  completions: count("The number of indexes that must succeed; omit spec.replicas then.", SOME),
  parallelism: usually(count("The maximum number that run at once.", SOME), 1),
  backoffLimit: optional(
    count(
      "The maximum number of failures of all indexes before the job fails. Default: 6, or no limit with perIndexRetries.",
      REPLICAS,
    ),
  ),
  perIndexRetries: optional(
    count(
      "The maximum number of retries of one index. After that it fails; the others continue.",
      REPLICAS,
    ),
  ),
  activeDeadlineMs: optional(
    duration("The maximum duration of the job from its first start, such as 1h.", {
      least: 1,
      most: JOB_TIME_MAX_MS,
    }),
  ),
  ttlMs: optional(
    duration("How long a finished job is kept before it is deleted, such as 24h.", {
      least: 0,
      most: JOB_TIME_MAX_MS,
    }),
  ),
};

/** What is the same in the core's form and in the one that people write. */
export type WorkloadParts = Omit<WorkloadSpec, "type" | "replicas" | "template">;

export const PARTS: FieldsOf<WorkloadParts> = {
  disruption: optional(
    object<Disruption>(
      "The disruption budget: how many replicas preemption, drains and quota may stop.",
      {
        maxUnavailable: count(
          "The maximum number of unavailable replicas during a voluntary disruption.",
          REPLICAS,
        ),
      },
    ),
  ),
  gang: optional(
    object<Gang>("All replicas start together, or none starts. A gang has at most 1,024.", {
      deadlineMs: duration(
        "How long it may reserve quota while it does not fit, such as 10m; then it returns the quota for a while.",
        { least: 1, most: GANG_DEADLINE_MAX_MS },
      ),
    }),
  ),
  rollout: optional(
    object<RolloutSpec>(
      "How a service rolls out a changed template. Gangs and batches replace all replicas at once.",
      rollout,
    ),
  ),
  recovery: optional(
    object<RecoverySpec>(
      "The recovery objective of a service after it loses replicas. The plane reserves headroom for them.",
      recovery,
    ),
  ),
  batch: optional(
    object<BatchSpec>(
      "Makes a batch a job with a number of indexes, each of which must succeed once. Default: every replica is retried until it succeeds.",
      batch,
    ),
  ),
};
