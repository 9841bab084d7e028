/**
 * Frees what nobody can give back any more: a replica lost with its node, or a reservation whose owner is
 * gone. Both are destructive, so both rest on evidence that the truth must bear out.
 */
import { nodeKey, type ObjectKey } from "../../model/ids.ts";
import type { Replica, Reservation } from "../../model/objects.ts";
import { ownerOf } from "../../model/stage.ts";
import { isHeldFor } from "../../observe/held-for.ts";
import type { IntentOf } from "../command.ts";
import {
  type Bench,
  FREED,
  missing,
  no,
  type No,
  removed,
  type Verdict,
  withStatus,
} from "../verdict.ts";

export function judgeRelease(bench: Bench, intent: IntentOf<"release">): Verdict {
  const { objects } = bench.ledger;
  const replica = objects.replica(intent.key);
  if (replica !== undefined) return releaseReplica(bench, replica, intent);
  const reservation = objects.reservation(intent.key);
  if (reservation !== undefined) return releaseReservation(bench, reservation, intent);
  return missing(intent.key);
}

function releaseReplica(bench: Bench, replica: Replica, intent: IntentOf<"release">): Verdict {
  const { stage, life } = replica.status;
  if (life !== intent.life) return no("wrong-life", replica.key, life, intent.life);
  const owner = ownerOf(stage, "released");
  if (owner === undefined) return no("wrong-stage", replica.key, "holding a node", stage);
  if (owner !== bench.role) return no("not-owner", replica.key, owner, bench.role);
  const unsupported = lossUnsupported(bench, replica, intent);
  if (unsupported !== undefined) return unsupported;
  return [withStatus(bench, replica, { ...FREED, stage: "released" })];
}

/** A replica is lost when its node's session is over, and only then (EV2). */
function lossUnsupported(
  bench: Bench,
  replica: Replica,
  intent: IntentOf<"release">,
): No | undefined {
  const { evidence } = intent;
  if (evidence.kind !== "node-fenced" && evidence.kind !== "session-ended") {
    return no("evidence-missing", replica.key, "node-fenced or session-ended", evidence.kind);
  }
  const { node: name, session } = replica.status;
  if (name !== evidence.node || session !== evidence.session) {
    return no(
      "evidence-wrong",
      replica.key,
      `${name} session ${session}`,
      `${evidence.node} session ${evidence.session}`,
    );
  }
  const node = bench.ledger.objects.node(nodeKey(evidence.node));
  if (evidence.kind === "session-ended") {
    const now = node?.status.session ?? session;
    return now > session
      ? undefined
      : no("evidence-wrong", nodeKey(evidence.node), `session after ${session}`, now);
  }
  if (node?.status.health !== "fenced") {
    return no("evidence-wrong", nodeKey(evidence.node), "fenced", node?.status.health ?? "missing");
  }
  // Fencing proves that leashed processes are dead. One that keeps running on purpose has no leash (EV5).
  const vouched = node.status.evidence?.kind === "person";
  if (replica.spec.template.onDisconnect === "keep" && !vouched) {
    return no("keeps-running", replica.key, "onDisconnect stop", "onDisconnect keep");
  }
  return undefined;
}

function releaseReservation(
  bench: Bench,
  reservation: Reservation,
  intent: IntentOf<"release">,
): Verdict {
  if (bench.role !== "reclaim-leak")
    return no("not-owner", reservation.key, "reclaim-leak", bench.role);
  const { evidence } = intent;
  if (evidence.kind !== "owner-gone" && evidence.kind !== "hold-over") {
    return no("evidence-missing", reservation.key, "owner-gone or hold-over", evidence.kind);
  }
  const { owner, life } = reservation.spec;
  if (life !== intent.life) return no("wrong-life", reservation.key, life, intent.life);
  if (evidence.owner !== owner) {
    return no("evidence-wrong", reservation.key, owner, evidence.owner);
  }
  if (evidence.kind === "hold-over") {
    return holdNotOver(bench, reservation) ?? [removed(reservation)];
  }
  const useful = usefulFor(bench, reservation);
  if (useful !== undefined) return no("reservation-in-use", reservation.key, "owner gone", useful);
  return [removed(reservation)];
}

/**
 * Room is held for a time, because others wait for it. The time counts on the clock of the leadership that
 * began it; a later one knows only that it is no older than itself, and counts from its own beginning (PE7).
 */
function holdNotOver(bench: Bench, { key, meta, spec }: Reservation): No | undefined {
  const { room, deadlineMs } = spec;
  if (room === undefined) return no("evidence-missing", key, "owner-gone", "hold-over");
  const { ledger, nowMs } = bench;
  const sinceMs = room.epoch === ledger.epoch ? meta.createdMs : ledger.leadSinceMs;
  const leftMs = deadlineMs - meta.createdMs - (nowMs - sinceMs);
  return leftMs <= 0
    ? undefined
    : no("hold-not-over", key, "held long enough", `${leftMs} ms left`);
}

/** Age says nothing: a reservation is useful while the very life it was made for is on its way (RS3). */
function usefulFor(bench: Bench, reservation: Reservation): ObjectKey | undefined {
  const { owner } = reservation.spec;
  const replica = bench.ledger.objects.replica(owner);
  if (replica === undefined || !isHeldFor(reservation, replica)) return undefined;
  const onItsWay = replica.status.stage === "admitted" || replica.status.stage === "queued";
  return onItsWay ? owner : undefined;
}
