/**
 * Ends a reservation without a living owner. This is destructive, so it rests on evidence that the
 * committed state must match.
 */
import type { ObjectKey } from "../../model/ids.ts";
import type { Reservation } from "../../model/objects.ts";
import { isHeldFor } from "../../observe/held-for.ts";
import { isSpare } from "../../rules/recovery/spare-rooms.ts";
import type { IntentOf } from "../../protocol/command.ts";
import { type CommitContext, missing, removed, type Verdict } from "../verdict.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";
import { unwindRoom } from "../checks/unwind.ts";

export function checkUnreserve(context: CommitContext, intent: IntentOf<"unreserve">): Verdict {
  const reservation = context.ledger.objects.reservation(intent.key);
  if (reservation === undefined) return missing(intent.key);
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
