/**
 * Ends a replica in an orderly way. One that holds a node is asked to stop and keeps everything
 * until its agent says the process is gone; one that holds none ends at once.
 */
import { endOf } from "../../model/batch.ts";
import type { Evidence } from "../../model/evidence.ts";
import { type ObjectKey, workloadKey } from "../../model/ids.ts";
import type { Replica } from "../../model/objects.ts";
import { holdsNode, ownerOf, type Stopping } from "../../model/stage.ts";
import { wantsIndex } from "../../model/wanted-indexes.ts";
import { workloadOf } from "../../model/workload-of.ts";
import { overBudget } from "../../rules/disruption.ts";
import { roomFor } from "../../observe/held-room.ts";
import type { IntentOf } from "../../protocol/command.ts";
import {
  type CommitContext,
  FREED,
  missing,
  removed,
  type Verdict,
  withStatus,
} from "../verdict.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";
import { unconfirmedUnsupported } from "./confirm.ts";
import { drainUnsupported } from "./drain-over.ts";
import { unwindUnsupported } from "../checks/unwind.ts";
import { checkSettle } from "../checks/settle.ts";
import { reclaimUnsupported, shrinkUnsupported } from "../checks/quota-evidence.ts";

/** What a replica that is asked to stop is told. */
const STOP_REASONS: Partial<Record<Evidence["kind"], Stopping["reason"]>> = {
  drain: "drain",
  "drain-forced": "drain",
  "policy-rollback": "policy",
  "quota-reclaim": "quota",
  "quota-shrunk": "quota",
  "job-over": "finished",
  "not-confirmed": "unconfirmed",
  "confirm-overdue": "unconfirmed",
};

/**
 * An unwanted replica is not missed, a forced drain has waited long enough, and an unconfirmed one
 * was never promised to its workload.
 */
const SPARES_NOBODY: ReadonlySet<Evidence["kind"]> = new Set([
  "surplus",
  "drain-forced",
  "not-confirmed",
  "confirm-overdue",
]);

export function checkEvict(context: CommitContext, intent: IntentOf<"evict">): Verdict {
  const { objects } = context.ledger;
  const replica = objects.replica(intent.replica);
  if (replica === undefined) return missing(intent.replica);
  const { stage, incarnation, stopping } = replica.status;
  if (incarnation !== intent.incarnation)
    return reject("wrong-incarnation", replica.key, incarnation, intent.incarnation);
  const { evidence } = intent;
  if (evidence.kind === "reconciled") return checkSettle(context, replica, evidence.stays);
  const unsupported = evidenceUnsupported(context, replica, intent);
  if (unsupported !== undefined) return unsupported;
  if (holdsNode(stage)) {
    if (stopping !== undefined) {
      return reject("wrong-stage", replica.key, "not stopping", "stopping");
    }
    const over = SPARES_NOBODY.has(evidence.kind)
      ? undefined
      : overBudget(objects, [replica], {
          cause: evidence.kind === "drain" ? "drain" : "owed",
          nowMs: context.nowMs,
        });
    if (over !== undefined) {
      return reject("disruption-budget", over.workload, "some left", "none left");
    }
    const reason = STOP_REASONS[intent.evidence.kind] ?? "surplus";
    return [withStatus(context, replica, { stopping: { reason, sinceMs: context.nowMs } })];
  }
  // One that is still in the queue gives its quota back at once, for others.
  const isTaken = stage === "queued" && STOP_REASONS[intent.evidence.kind] === "quota";
  const owner = isTaken ? "reclaim-quota" : ownerOf(stage, "released");
  if (owner === undefined) return reject("wrong-stage", replica.key, "not at rest", stage);
  if (owner !== context.role) return reject("not-owner", replica.key, owner, context.role);
  const ended = withStatus(context, replica, { ...FREED, stage: "released" });
  const room = roomFor(objects, replica);
  // The room has no owner any more (PE7); its quota it gave back by leaving the queue.
  return room === undefined ? [ended] : [removed(room), ended];
}

function evidenceUnsupported(
  context: CommitContext,
  replica: Replica,
  intent: IntentOf<"evict">,
): Rejection | undefined {
  const { evidence } = intent;
  const { objects } = context.ledger;
  switch (evidence.kind) {
    case "surplus": {
      if (context.role !== "admit") return reject("not-owner", replica.key, "admit", context.role);
      const { workload: name, workloadUid: uid, generation, index } = replica.spec;
      const key = workloadKey(replica.meta.namespace, name);
      if (evidence.workload !== key) {
        return reject("evidence-wrong", replica.key, key, evidence.workload);
      }
      const workload = objects.workload(key);
      return wantsIndex(workload, { uid, generation, index })
        ? reject("evidence-wrong", replica.key, "not wanted", "wanted")
        : undefined;
    }
    case "gang-deadline":
      return gangUnsupported(context, replica, evidence.workload);
    case "job-over":
      return jobUnsupported(context, replica, evidence.workload);
    case "drain":
    case "drain-forced":
      return drainUnsupported(context, replica, evidence);
    case "policy-rollback":
      return unwindUnsupported(context, replica, evidence);
    case "not-confirmed":
    case "confirm-overdue":
      return unconfirmedUnsupported(context, replica, evidence);
    case "quota-reclaim":
      return reclaimUnsupported(context, replica, evidence.waiting);
    case "quota-shrunk":
      return shrinkUnsupported(context, replica, evidence.quota);
    default:
      return reject(
        "evidence-missing",
        replica.key,
        "surplus, drain, policy, gang, job, quota or confirmation",
        evidence.kind,
      );
  }
}

/** Of a job that is over nothing is wanted any more that has not ended yet (BA5). */
function jobUnsupported(
  context: CommitContext,
  replica: Replica,
  named: ObjectKey,
): Rejection | undefined {
  if (context.role !== "admit") return reject("not-owner", replica.key, "admit", context.role);
  const key = workloadOf(replica);
  if (named !== key) return reject("evidence-wrong", replica.key, key, named);
  const workload = context.ledger.objects.workload(key);
  const end = workload?.meta.uid === replica.spec.workloadUid ? endOf(workload) : undefined;
  return end === undefined ? reject("evidence-wrong", key, "finished", "not finished") : undefined;
}

/** Nothing of it runs, so nothing is lost but its place in the queue (GA3). */
function gangUnsupported(
  context: CommitContext,
  replica: Replica,
  named: ObjectKey,
): Rejection | undefined {
  const key = workloadOf(replica);
  if (named !== key) return reject("evidence-wrong", replica.key, key, named);
  const workload = context.ledger.objects.workload(key);
  // A namesake's leftover belongs to no gang of today.
  const isMember = workload?.meta.uid === replica.spec.workloadUid;
  if (!isMember || workload.spec.gang === undefined) {
    return reject("evidence-wrong", key, "its gang", "no gang of its own");
  }
  const { stage } = replica.status;
  return stage === "queued" ? undefined : reject("evidence-wrong", replica.key, "queued", stage);
}
