/** What a stage says about a replica that is in it, for people who do not know the stages. */
import type { ReplicaStatus, Stopping } from "../../../core/model/objects.ts";
import type { Stage } from "../../../core/model/stage.ts";

export interface StageReason {
  /** One word in CamelCase, for programs. */
  readonly reason: string;
  readonly message: string;
}

const STAGE_REASONS: Readonly<Record<Stage, StageReason>> = {
  admitted: { reason: "WaitingForQuota", message: "waits until quota is reserved for it" },
  queued: { reason: "WaitingForNode", message: "has its quota and waits for a node that fits" },
  bound: { reason: "WaitingForAgent", message: "has a node, whose agent has not started it yet" },
  starting: { reason: "Starting", message: "is being started and is not ready yet" },
  ready: { reason: "Ready", message: "is ready" },
  serving: { reason: "Serving", message: "serves" },
  running: { reason: "Running", message: "runs" },
  succeeded: { reason: "Succeeded", message: "has ended well" },
  unknown: { reason: "NodeSilent", message: "may still be running: its node is silent" },
  failed: { reason: "Failed", message: "has failed and is given another life after a delay" },
  released: { reason: "Released", message: "is gone from its node" },
};

const STOP_REASONS: Readonly<Record<Stopping["reason"], StageReason>> = {
  surplus: { reason: "Surplus", message: "is asked to stop: its workload no longer wants it" },
  rollout: {
    reason: "RolledOut",
    message: "is asked to stop: its workload moves to another template",
  },
  drain: { reason: "Draining", message: "is asked to stop: its node is being drained" },
  policy: {
    reason: "PolicyRolledBack",
    message: "is asked to stop: the policy revision that it was bound under was taken back",
  },
  quota: {
    reason: "QuotaTakenBack",
    message:
      "is asked to stop: its tenant uses more quota than is its own, and comes back when there is some",
  },
  unconfirmed: {
    reason: "NotConfirmed",
    message: "is asked to stop: it was bound while its region was cut off, and was not confirmed",
  },
  finished: { reason: "JobFinished", message: "is asked to stop: the job that it is of is over" },
  preempted: {
    reason: "Preempted",
    message: "is asked to stop: work of a higher class needs its room",
  },
  replaced: {
    reason: "Replaced",
    message: "is asked to stop: the other replica of its slot stays",
  },
};

export const stageReason = (stage: Stage): StageReason => STAGE_REASONS[stage];

const UNREADY: StageReason = {
  reason: "Unready",
  message: "was ready and is not any more: its probe says no",
};

export function replicaReason(status: ReplicaStatus): StageReason {
  const { stage, stopping, lastEnd, unready } = status;
  if (stage === "starting" && stopping === undefined && unready !== undefined) return UNREADY;
  if (stage === "failed" && lastEnd !== undefined) {
    const { reason, message } = STAGE_REASONS.failed;
    return { reason, message: `${message}: ${lastEnd.replace(/\.$/, "")}` };
  }
  if (stopping === undefined || stage === "released") return STAGE_REASONS[stage];
  return STOP_REASONS[stopping.reason];
}
