/** What a stage says about a replica that is in it, for people who do not know the stages. */
import { CRASH_LOOP_FAILURES } from "../../../core/explain/incident-sign.ts";
import type { Replica, ReplicaStatus } from "../../../core/model/objects.ts";
import type { ObjectIndex } from "../../../core/observe/object-index.ts";
import type { FailingProbe } from "../../../core/model/unready.ts";
import { rfc3339 } from "../../rfc3339.ts";
import type { Stage, Stopping } from "../../../core/model/stage.ts";

export interface StageReason {
  /** One word in CamelCase, for programs. */
  readonly reason: string;
  readonly message: string;
}

const STAGE_REASONS: Readonly<Record<Stage, StageReason>> = {
  admitted: { reason: "WaitingForQuota", message: "is waiting for quota" },
  queued: { reason: "WaitingForNode", message: "has quota and is waiting for a node that fits" },
  bound: {
    reason: "WaitingForAgent",
    message: "is bound to a node, whose agent has not started it yet",
  },
  starting: { reason: "Starting", message: "is starting and not ready yet" },
  ready: { reason: "Ready", message: "is ready" },
  serving: { reason: "Serving", message: "serves" },
  running: { reason: "Running", message: "runs" },
  succeeded: { reason: "Succeeded", message: "has succeeded" },
  unknown: { reason: "NodeSilent", message: "may still be running: its node is silent" },
  failed: { reason: "Failed", message: "has failed and restarts after a delay" },
  released: { reason: "Released", message: "is gone from its node" },
};

const STOP_REASONS: Readonly<Record<Stopping["reason"], StageReason>> = {
  surplus: { reason: "Surplus", message: "is being stopped: its workload no longer wants it" },
  rollout: {
    reason: "RolledOut",
    message: "is being stopped: its workload rolls out another template",
  },
  drain: { reason: "Draining", message: "is being stopped: its node is being drained" },
  policy: {
    reason: "PolicyRolledBack",
    message: "is being stopped: the policy revision that it was bound under was rolled back",
  },
  quota: {
    reason: "QuotaTakenBack",
    message: "is being stopped: its tenant uses borrowed quota, and it returns when quota is free",
  },
  unconfirmed: {
    reason: "NotConfirmed",
    message:
      "is being stopped: it was bound while its region was partitioned, and was not confirmed",
  },
  deleted: {
    reason: "Deleted",
    message: "is being stopped: a person deleted it, and another takes its index",
  },
  finished: { reason: "JobFinished", message: "is being stopped: its job has finished" },
  preempted: {
    reason: "Preempted",
    message: "is being stopped: preempted by work of a higher class",
  },
  replaced: {
    reason: "Replaced",
    message: "is being stopped: the other replica of its index stays",
  },
};

export const stageReason = (stage: Stage): StageReason => STAGE_REASONS[stage];

/** Without any quota of its tenant, another one's end does not help. */
export function waitsForQuota(objects: ObjectIndex, tenant: string): StageReason {
  if (objects.quotaUsage.of(tenant).spec !== undefined) return STAGE_REASONS.admitted;
  const message = `is waiting for quota, and tenant ${tenant} has none; create its Quota "default"`;
  return { reason: "NoQuota", message };
}

/** With what the other objects tell about it. */
export function reasonAmong(objects: ObjectIndex, { meta, status }: Replica): StageReason {
  const { stage, stopping } = status;
  return stage === "admitted" && stopping === undefined
    ? waitsForQuota(objects, meta.namespace)
    : replicaReason(status);
}

export function replicaReason(status: ReplicaStatus): StageReason {
  const { stage, stopping } = status;
  if (stage === "starting" && stopping === undefined) return startingReason(status);
  if (stage === "failed") return failedReason(status);
  if (stopping === undefined || stage === "released") return STAGE_REASONS[stage];
  return STOP_REASONS[stopping.reason];
}

function startingReason({ unready, failingProbe }: ReplicaStatus): StageReason {
  const why = failingProbe === undefined ? "" : `: ${probeText(failingProbe)}`;
  if (unready !== undefined) {
    return { reason: "Unready", message: `is no longer ready: its probe fails${why}` };
  }
  if (failingProbe === undefined) return STAGE_REASONS.starting;
  return { reason: "ProbeFailing", message: `is starting and not ready: its probe fails${why}` };
}

/** e.g. "GET / at 127.0.0.1:8080 is 503 (12 times in a row, since 2026-01-01T12:00:05Z)" */
export const probeText = ({ said, times, sinceMs }: FailingProbe): string =>
  `${said} (${times === 1 ? "once" : `${times} times in a row`}, since ${rfc3339(sinceMs)})`;

function failedReason({ failures, lastEnd }: ReplicaStatus): StageReason {
  const { reason, message } = STAGE_REASONS.failed;
  const why = lastEnd === undefined ? "" : `: ${lastEnd.replace(/\.$/, "")}`;
  if (failures < CRASH_LOOP_FAILURES) return { reason, message: `${message}${why}` };
  const often = `has failed ${failures} times in a row${why}`;
  return { reason: "CrashLoop", message: `${often}; it restarts after a delay` };
}
