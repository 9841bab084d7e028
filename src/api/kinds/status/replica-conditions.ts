/** The conditions of a replica, so that `kubectl wait replica --for=condition=Ready` works. */
import type { Replica } from "../../../core/model/objects.ts";
import { isReadyStage } from "../../../core/model/stage.ts";
import type { Condition } from "./condition.ts";
import { replicaReason } from "./stage-reason.ts";

export const REPLICA_CONDITIONS = ["Scheduled", "Ready"] as const;

export const isReady = ({ status: { stage } }: Replica): boolean => isReadyStage(stage);

/** Times are those of the stage: when it last changed is all that is kept. */
export function replicaConditions(replica: Replica): readonly Condition[] {
  const { meta, status } = replica;
  const { stage, stageSinceMs: sinceMs, node } = status;
  const why = replicaReason(status);
  const message = `${meta.name} ${why.message}.`;
  const scheduled: Condition =
    node === undefined
      ? { type: "Scheduled", status: "False", reason: why.reason, message, sinceMs }
      : {
          type: "Scheduled",
          status: "True",
          reason: "Bound",
          message: `${meta.name} is bound to ${node}.`,
          sinceMs,
        };
  const ready = isReady(replica) ? "True" : stage === "unknown" ? "Unknown" : "False";
  return [scheduled, { type: "Ready", status: ready, reason: why.reason, message, sinceMs }];
}
