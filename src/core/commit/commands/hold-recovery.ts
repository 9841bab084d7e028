/**
 * Keeps room for replicas that a workload may lose, and gives back what is of no use. It takes only
 * what is free: no replica is evicted for it, and room reserved for others stays theirs. All of it
 * happens or none (RV2, RV3).
 */
import { fieldOf } from "../../rules/feasibility/misfit.ts";
import { nodeKey } from "../../model/ids.ts";
import type { Reservation, Workload } from "../../model/objects.ts";
import { lookAtSpares, spareNeed, type Spares } from "../../rules/recovery/spare-rooms.ts";
import { type IntentOf, INDEXES_PER_COMMAND, type SpareRoom } from "../../protocol/command.ts";
import type { Change } from "../../protocol/commit-record.ts";
import {
  type CommitContext,
  changed,
  missing,
  removed,
  touched,
  type Verdict,
} from "../verdict.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";
import { reservationNamed } from "./reserve.ts";

type HoldRecovery = IntentOf<"hold-recovery">;

export function checkHoldRecovery(context: CommitContext, intent: HoldRecovery): Verdict {
  const workload = context.ledger.objects.workload(intent.workload);
  if (workload === undefined) return missing(intent.workload);
  const { key, status } = workload;
  if (context.role !== "keep-recovery") {
    return reject("not-owner", key, "keep-recovery", context.role);
  }
  const { rooms, drop } = intent;
  const count = rooms.length + drop.length;
  const isOnce = new Set(drop).size === drop.length;
  if (count === 0 || count > 2 * INDEXES_PER_COMMAND || !isOnce) {
    return reject("bad-object", "rooms", `1 to ${2 * INDEXES_PER_COMMAND}, each once`, count);
  }
  // Another hold was made since: what it was counted on is not what is there.
  const holds = status.recovery?.holds ?? 0;
  if (holds !== intent.holds) {
    return reject("recovery-reserve", key, `after ${holds}`, intent.holds);
  }
  const spares = lookAtSpares(context.ledger.objects, workload);
  const wrong =
    wrongCount(context, workload, { intent, spares }) ?? noRoom(context, { rooms, spares });
  return wrong ?? reserve(context, workload, intent);
}

/** Never more than is needed, and never less while the reserve is of use. */
function wrongCount(
  context: CommitContext,
  workload: Workload,
  { intent, spares }: { readonly intent: HoldRecovery; readonly spares: Spares },
): Rejection | undefined {
  const { need, most } = spareNeed(context.ledger.objects, workload);
  const { useful, useless } = spares;
  const held = new Set([...useful, ...useless].map(({ key }) => key));
  const stranger = intent.drop.find((key) => !held.has(key));
  if (stranger !== undefined) {
    return reject("reservation-not-held", stranger, workload.key, "not its");
  }
  const given = useful.filter(({ key }) => intent.drop.includes(key)).length;
  if (given > 0 && useful.length - given < need) {
    return reject("recovery-reserve", workload.key, `at least ${need} kept`, useful.length - given);
  }
  const after = held.size - intent.drop.length + intent.rooms.length;
  return intent.rooms.length > 0 && after > most
    ? reject("recovery-reserve", workload.key, `at most ${most} held`, after)
    : undefined;
}

/** Each as if those before it, and those that stay, were taken. */
function noRoom(
  context: CommitContext,
  { rooms, spares }: { readonly rooms: readonly SpareRoom[]; readonly spares: Spares },
): Rejection | undefined {
  for (const { node: name, deviceIds } of rooms) {
    const node = context.ledger.objects.nodeNamed(name);
    if (node === undefined) return missing(nodeKey(name));
    const misfit = spares.fit.misfit(node, deviceIds);
    if (misfit !== undefined) {
      return reject(misfit.code, fieldOf(misfit), misfit.expected, misfit.actual);
    }
    spares.fit.take(name, deviceIds);
  }
  return undefined;
}

function reserve(
  context: CommitContext,
  workload: Workload,
  { rooms, drop, holds }: HoldRecovery,
): Verdict {
  const { objects } = context.ledger;
  const changes: Change[] = drop.flatMap((key) => {
    const held = objects.reservation(key);
    return held === undefined ? [] : [removed(held)];
  });
  if (rooms.length === 0) return changes;
  const { recovery } = workload.status;
  const after: Workload = {
    ...workload,
    meta: touched(workload.meta, context.next),
    status: { ...workload.status, recovery: { ...recovery, holds: holds + rooms.length } },
  };
  changes.push(changed<Workload>(workload, after));
  for (const [at, room] of rooms.entries()) {
    const made = spareReservation(context, workload, { room, number: holds + at + 1 });
    changes.push({ key: made.key, before: undefined, after: made });
  }
  return changes;
}

function spareReservation(
  context: CommitContext,
  workload: Workload,
  { room, number }: { readonly room: SpareRoom; readonly number: number },
): Reservation {
  const { ask, priorityClass } = workload.spec.template;
  return reservationNamed(context, `${workload.meta.name}.recovery.${number}`, {
    owner: workload.key,
    ownerUid: workload.meta.uid,
    incarnation: number,
    tenant: workload.meta.namespace,
    amounts: ask.amounts,
    ...(priorityClass === "" ? {} : { priorityClass }),
    // It has no end of its own: it is kept for as long as the objective is.
    deadlineMs: context.nowMs,
    for: "recovery",
    room: { node: room.node, deviceIds: room.deviceIds, epoch: context.ledger.epoch },
  });
}
