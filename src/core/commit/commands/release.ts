/**
 * Frees resources without a living owner: a replica lost with its node, or a reservation whose owner is
 * gone. Both are destructive, so both rest on evidence that the truth must bear out.
 */
import type { Evidence } from "../../model/evidence.ts";
import { nodeKey, type ObjectKey } from "../../model/ids.ts";
import type { Replica, Reservation } from "../../model/objects.ts";
import { secondsText } from "../../model/text/seconds-text.ts";
import { ownerOf } from "../../model/stage.ts";
import { isHeldFor } from "../../observe/held-for.ts";
import { isSpare } from "../../rules/recovery/spare-rooms.ts";
import type { IntentOf } from "../../protocol/command.ts";
import { type Bench, FREED, missing, removed, type Verdict, withStatus } from "../verdict.ts";
import { no, type No } from "../../protocol/no.ts";
import { judgeSteady } from "../checks/flapping.ts";
import { releaseForgotten } from "../checks/forgotten.ts";
import { releaseBudget } from "../checks/budget.ts";
import { releaseOverride } from "../checks/override.ts";
import { releaseExpected } from "./provision.ts";
import { judgeReplace, replaceNotDue } from "../checks/replace.ts";
import { unwindRoom } from "../checks/unwind.ts";
import { releaseLease, releaseVanished } from "../checks/vanished.ts";

export function judgeRelease(bench: Bench, intent: IntentOf<"release">): Verdict {
  const { objects } = bench.ledger;
  const replica = objects.replica(intent.key);
  if (replica !== undefined) return releaseReplica(bench, replica, intent);
  const reservation = objects.reservation(intent.key);
  if (reservation !== undefined) return releaseReservation(bench, reservation, intent);
  const node = objects.node(intent.key);
  if (node !== undefined) {
    return intent.evidence.kind === "provision-over"
      ? releaseExpected(bench, node, intent)
      : judgeSteady(bench, node, intent);
  }
  const lease = objects.lease(intent.key);
  if (lease !== undefined) return releaseLease(bench, lease, intent);
  const other = objects.get(intent.key);
  if (other?.kind === "Override") return releaseOverride(bench, other, intent);
  if (other?.kind === "Budget") return releaseBudget(bench, other, intent);
  return missing(intent.key);
}

function releaseReplica(bench: Bench, replica: Replica, intent: IntentOf<"release">): Verdict {
  const { stage, life } = replica.status;
  if (life !== intent.life) return no("wrong-life", replica.key, life, intent.life);
  if (intent.evidence.kind === "node-vanished") return releaseVanished(bench, replica, intent);
  if (intent.evidence.kind === "agent-forgot") return releaseForgotten(bench, replica, intent);
  const owner = ownerOf(stage, "released");
  if (owner === undefined) return no("wrong-stage", replica.key, "holding a node", stage);
  if (owner !== bench.role) return no("not-owner", replica.key, owner, bench.role);
  const unsupported = lossUnsupported(bench, replica, intent);
  if (unsupported !== undefined) return unsupported;
  if (intent.evidence.kind === "replace-after") return judgeReplace(bench, replica, intent);
  const lastEnd = lossText(bench, replica, intent.evidence);
  return [withStatus(bench, replica, { ...FREED, stage: "released", lastEnd })];
}

/** The message for a replica whose end was not observed. */
function lossText(bench: Bench, { status }: Replica, { kind }: Evidence): string {
  const where = `${status.node} session ${status.session}`;
  if (kind === "session-ended") return `session-ended: ${where} was followed by a later one`;
  const found = bench.ledger.objects.node(nodeKey(status.node ?? ""))?.status.evidence;
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
  bench: Bench,
  replica: Replica,
  intent: IntentOf<"release">,
): No | undefined {
  const { evidence } = intent;
  if (
    evidence.kind !== "node-fenced" &&
    evidence.kind !== "session-ended" &&
    evidence.kind !== "replace-after"
  ) {
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
  if (evidence.kind === "replace-after") return undefined;
  // Fencing proves that leashed processes are dead. One that keeps running on purpose has no leash (EV5).
  const vouched = node.status.evidence?.kind === "person";
  if (vouched) return undefined;
  if (replica.spec.template.onDisconnect === "keep") {
    return no("keeps-running", replica.key, "onDisconnect stop", "onDisconnect keep");
  }
  // It is gone, but its workload would rather wait for its node than be moved (DC1).
  return replaceNotDue(bench, node, replica);
}

function releaseReservation(
  bench: Bench,
  reservation: Reservation,
  intent: IntentOf<"release">,
): Verdict {
  const { evidence } = intent;
  if (evidence.kind === "policy-rollback" && reservation.spec.life === intent.life) {
    return unwindRoom(bench, reservation, evidence);
  }
  if (bench.role !== "reclaim-leak")
    return no("not-owner", reservation.key, "reclaim-leak", bench.role);
  if (evidence.kind !== "owner-gone" && evidence.kind !== "hold-over") {
    return no("evidence-missing", reservation.key, "owner-gone or hold-over", evidence.kind);
  }
  const { owner, life } = reservation.spec;
  if (life !== intent.life) return no("wrong-life", reservation.key, life, intent.life);
  if (evidence.owner !== owner) {
    return no("evidence-wrong", reservation.key, owner, evidence.owner);
  }
  if (evidence.kind === "hold-over" && !isSpare(reservation)) {
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
  const { owner, ownerUid } = reservation.spec;
  // What is kept for a workload ends with it, or by who keeps it (RV5).
  if (isSpare(reservation)) {
    return bench.ledger.objects.workload(owner)?.meta.uid === ownerUid ? owner : undefined;
  }
  const replica = bench.ledger.objects.replica(owner);
  if (replica === undefined || !isHeldFor(reservation, replica)) return undefined;
  const onItsWay = replica.status.stage === "admitted" || replica.status.stage === "queued";
  return onItsWay ? owner : undefined;
}
