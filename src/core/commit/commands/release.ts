/**
 * Frees resources without a living owner: a replica lost with its node, or a reservation whose
 * owner is gone. Both are destructive, so both rest on evidence that the truth must bear out.
 */
import type { Evidence } from "../../model/evidence.ts";
import { nodeKey, type ObjectKey } from "../../model/ids.ts";
import type { Replica, Reservation } from "../../model/objects.ts";
import { secondsText } from "../../model/text/seconds-text.ts";
import { ownerOf } from "../../model/stage.ts";
import { isHeldFor } from "../../observe/held-for.ts";
import { isSpare } from "../../rules/recovery/spare-rooms.ts";
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
import { checkSteady } from "../checks/flapping.ts";
import { releaseForgotten } from "../checks/forgotten.ts";
import { releaseRecoveryBudget } from "../checks/recovery-budget.ts";
import { releaseOverride } from "../checks/override.ts";
import { releaseProvisioning } from "./provision.ts";
import { checkReplace, replaceNotDue } from "../checks/replace.ts";
import { unwindRoom } from "../checks/unwind.ts";
import { releaseLease, releaseVanished } from "../checks/vanished.ts";

export function checkRelease(context: CommitContext, intent: IntentOf<"release">): Verdict {
  const { objects } = context.ledger;
  const replica = objects.replica(intent.key);
  if (replica !== undefined) return releaseReplica(context, replica, intent);
  const reservation = objects.reservation(intent.key);
  if (reservation !== undefined) return releaseReservation(context, reservation, intent);
  const node = objects.node(intent.key);
  if (node !== undefined) {
    return intent.evidence.kind === "provision-over"
      ? releaseProvisioning(context, node, intent)
      : checkSteady(context, node, intent);
  }
  const lease = objects.lease(intent.key);
  if (lease !== undefined) return releaseLease(context, lease, intent);
  const other = objects.get(intent.key);
  if (other?.kind === "Override") return releaseOverride(context, other, intent);
  if (other?.kind === "RecoveryBudget") return releaseRecoveryBudget(context, other, intent);
  return missing(intent.key);
}

function releaseReplica(
  context: CommitContext,
  replica: Replica,
  intent: IntentOf<"release">,
): Verdict {
  const { stage, incarnation } = replica.status;
  if (incarnation !== intent.incarnation)
    return reject("wrong-incarnation", replica.key, incarnation, intent.incarnation);
  if (intent.evidence.kind === "node-vanished") return releaseVanished(context, replica, intent);
  if (intent.evidence.kind === "agent-forgot") return releaseForgotten(context, replica, intent);
  const owner = ownerOf(stage, "released");
  if (owner === undefined) return reject("wrong-stage", replica.key, "holding a node", stage);
  if (owner !== context.role) return reject("not-owner", replica.key, owner, context.role);
  const unsupported = lossUnsupported(context, replica, intent);
  if (unsupported !== undefined) return unsupported;
  if (intent.evidence.kind === "replace-after") return checkReplace(context, replica, intent);
  const lastEnd = lossText(context, replica, intent.evidence);
  return [withStatus(context, replica, { ...FREED, stage: "released", lastEnd })];
}

/** The message for a replica whose end was not observed. */
function lossText(context: CommitContext, { status }: Replica, { kind }: Evidence): string {
  const where = `${status.node} session ${status.session}`;
  if (kind === "session-ended") return `session-ended: ${where} was followed by a later one`;
  const found = context.ledger.objects.node(nodeKey(status.node ?? ""))?.status.evidence;
  if (found?.kind === "person") {
    return `node-fenced: ${where}, on the word of ${found.name}: ${found.statement}`;
  }
  const silentMs = found?.kind === "lease-expired" ? found.silentMs : undefined;
  return silentMs === undefined
    ? `node-fenced: ${where}`
    : `node-fenced: ${where}, lease silent for ${secondsText(silentMs)}`;
}

/** A replica is lost when its node's session is over, and only then (EV2). */
function lossUnsupported(
  context: CommitContext,
  replica: Replica,
  intent: IntentOf<"release">,
): Rejection | undefined {
  const { evidence } = intent;
  if (
    evidence.kind !== "node-fenced" &&
    evidence.kind !== "session-ended" &&
    evidence.kind !== "replace-after"
  ) {
    return reject("evidence-missing", replica.key, "node-fenced or session-ended", evidence.kind);
  }
  const { node: name, session } = replica.status;
  if (name !== evidence.node || session !== evidence.session) {
    return reject(
      "evidence-wrong",
      replica.key,
      `${name} session ${session}`,
      `${evidence.node} session ${evidence.session}`,
    );
  }
  const node = context.ledger.objects.node(nodeKey(evidence.node));
  if (evidence.kind === "session-ended") {
    const now = node?.status.session ?? session;
    return now > session
      ? undefined
      : reject("evidence-wrong", nodeKey(evidence.node), `session after ${session}`, now);
  }
  if (node?.status.health !== "fenced") {
    return reject(
      "evidence-wrong",
      nodeKey(evidence.node),
      "fenced",
      node?.status.health ?? "missing",
    );
  }
  if (evidence.kind === "replace-after") return undefined;
  // Fencing proves that leashed processes are dead. One that keeps running on purpose has no leash
  // (EV5).
  const vouched = node.status.evidence?.kind === "person";
  if (vouched) return undefined;
  if (replica.spec.template.onDisconnect === "keep") {
    return reject("keeps-running", replica.key, "onDisconnect stop", "onDisconnect keep");
  }
  // It is gone, but its workload would rather wait for its node than be moved (DC1).
  return replaceNotDue(context, node, replica);
}

function releaseReservation(
  context: CommitContext,
  reservation: Reservation,
  intent: IntentOf<"release">,
): Verdict {
  const { evidence } = intent;
  if (evidence.kind === "policy-rollback" && reservation.spec.incarnation === intent.incarnation) {
    return unwindRoom(context, reservation, evidence);
  }
  if (context.role !== "reclaim-leak") {
    return reject("not-owner", reservation.key, "reclaim-leak", context.role);
  }
  if (evidence.kind !== "owner-gone" && evidence.kind !== "hold-over") {
    return reject("evidence-missing", reservation.key, "owner-gone or hold-over", evidence.kind);
  }
  const { owner, incarnation } = reservation.spec;
  if (incarnation !== intent.incarnation)
    return reject("wrong-incarnation", reservation.key, incarnation, intent.incarnation);
  if (evidence.owner !== owner) {
    return reject("evidence-wrong", reservation.key, owner, evidence.owner);
  }
  if (evidence.kind === "hold-over" && !isSpare(reservation)) {
    return holdNotOver(context, reservation) ?? [removed(reservation)];
  }
  const useful = usefulFor(context, reservation);
  if (useful !== undefined) {
    return reject("reservation-in-use", reservation.key, "owner gone", useful);
  }
  return [removed(reservation)];
}

/**
 * Room is held for a time, because others wait for it. The time counts on the clock of the
 * leadership that began it; a later one knows only that it is no older than itself, and counts from
 * its own beginning (PE7).
 */
function holdNotOver(
  context: CommitContext,
  { key, meta, spec }: Reservation,
): Rejection | undefined {
  if (spec.for === "quota") return reject("evidence-missing", key, "owner-gone", "hold-over");
  const { room, deadlineMs } = spec;
  const { ledger, nowMs } = context;
  const sinceMs = room.epoch === ledger.epoch ? meta.createdMs : ledger.leadSinceMs;
  const leftMs = deadlineMs - meta.createdMs - (nowMs - sinceMs);
  return leftMs <= 0
    ? undefined
    : reject("hold-not-over", key, "held long enough", `${leftMs} ms left`);
}

/**
 * Age says nothing: a reservation is useful while the very incarnation it was made for is on its
 * way (RS3).
 */
function usefulFor(context: CommitContext, reservation: Reservation): ObjectKey | undefined {
  const { owner, ownerUid } = reservation.spec;
  // What is kept for a workload ends with it, or by who keeps it (RV5).
  if (isSpare(reservation)) {
    return context.ledger.objects.workload(owner)?.meta.uid === ownerUid ? owner : undefined;
  }
  const replica = context.ledger.objects.replica(owner);
  if (replica === undefined || !isHeldFor(reservation, replica)) return undefined;
  const onItsWay = replica.status.stage === "admitted" || replica.status.stage === "queued";
  return onItsWay ? owner : undefined;
}
