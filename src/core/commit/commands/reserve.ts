/**
 * Holds quota for one incarnation of one replica: free → reserved, at most once per intent (RS1,
 * QT1).
 */
import { type ObjectKey, quotaKey, regionKey, type Uid } from "../../model/ids.ts";
import type { Replica, Reservation } from "../../model/objects.ts";
import type { PreemptorRoom, QuotaReservation, ReservationSpec } from "../../model/reservation.ts";
import { type QuotaAsk, quotaShort } from "../../observe/accounts/quota-room.ts";
import type { IntentOf } from "../../protocol/command.ts";
import { type CommitContext, missing, type Verdict } from "../verdict.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";
import { whyNotSpending } from "../../rules/regional/term.ts";
import { lenderLearning } from "../checks/heard-region.ts";

export function checkReserve(context: CommitContext, intent: IntentOf<"reserve">): Verdict {
  const replica = context.ledger.objects.replica(intent.replica);
  if (replica === undefined) return missing(intent.replica);
  if (context.role !== "admit") return reject("not-owner", intent.replica, "admit", context.role);
  const { stage, incarnation } = replica.status;
  if (incarnation !== intent.incarnation)
    return reject("wrong-incarnation", replica.key, incarnation, intent.incarnation);
  if (stage !== "admitted") return reject("wrong-stage", replica.key, "admitted", stage);
  const held = heldReservation(context, replica);
  if (held !== undefined) return reject("reservation-exists", replica.key, "none held", held.key);
  const { ask, priorityClass } = replica.spec.template;
  const tenant = replica.meta.namespace;
  const short = checkQuota(context, { tenant, priorityClass, amounts: ask.amounts });
  if (short !== undefined) return short;
  const reservation = reservationFor(context, replica, intent.deadlineMs);
  return [{ key: reservation.key, before: undefined, after: reservation }];
}

/**
 * A sender that lost the reply to the first reservation must find it, not make a second one. A
 * namesake's leak is in the way, too, until it is reclaimed.
 */
export function heldReservation(
  context: CommitContext,
  { key, status }: Replica,
): Reservation | undefined {
  for (const held of context.ledger.objects.reservationsOf(key)) {
    // Room is held beside the quota, not instead of it.
    if (held.spec.incarnation === status.incarnation && held.spec.for === "quota") return held;
  }
  return undefined;
}

/**
 * A tenant reserves only what is free or lent to it, and nothing without a quota (QT1, QT5, QT6).
 */
export function checkQuota(context: CommitContext, ask: QuotaAsk): Rejection | undefined {
  const { objects } = context.ledger;
  const key = quotaKey(ask.tenant);
  const wrong = notSpending(context);
  if (wrong !== undefined) return wrong;
  const { spec } = objects.quotaUsage.of(ask.tenant);
  if (spec === undefined) return reject("quota-missing", key, "exists", "missing");
  const short = quotaShort(objects, ask);
  if (short === undefined) return undefined;
  const { bound, name, room } = short;
  const of = { tenant: "", group: `group.${spec.group}.`, class: `classes.${ask.priorityClass}.` };
  return reject("quota-exceeded", `${key} ${of[bound]}${name}`, ask.amounts[name], room);
}

/**
 * Among several planes: a region that was lent its quota takes none before it knows that it may
 * (RG11), and a restored lender none before it knows again what it lent (RG9).
 */
function notSpending({ ledger, nowMs }: CommitContext): Rejection | undefined {
  const { objects, epoch } = ledger;
  const status = objects.plane?.status;
  if (status === undefined) return undefined;
  if (status.role === "global") return lenderLearning(objects, status);
  const why = whyNotSpending(status, epoch, nowMs);
  if (why === undefined) return undefined;
  const found = why === "learning" ? "it was restored and is learning" : "its term is over";
  return reject("term-over", regionKey(status.region), "a term in force", found);
}

function reservationFor(context: CommitContext, replica: Replica, deadlineMs: number): Reservation {
  const { priorityClass } = replica.spec.template;
  const part = priorityClass === "" ? {} : { priorityClass };
  return newReservation(context, replica, {
    suffix: "",
    spec: { for: "quota", ...part, deadlineMs },
  });
}

/** Held for one incarnation of the replica; the suffix tells what it holds apart from its quota. */
export function newReservation(
  context: CommitContext,
  replica: Replica,
  asked: {
    readonly suffix: string;
    readonly spec:
      | Pick<QuotaReservation, "for" | "deadlineMs" | "priorityClass">
      | Pick<PreemptorRoom, "for" | "deadlineMs" | "room" | "policyRevision">;
  },
): Reservation {
  const { incarnation } = replica.status;
  return reservationNamed(context, `${replica.meta.name}.${incarnation}${asked.suffix}`, {
    owner: replica.key,
    ownerUid: replica.meta.uid,
    incarnation,
    tenant: replica.meta.namespace,
    amounts: replica.spec.template.ask.amounts,
    ...asked.spec,
  });
}

/** The only place in which a reservation is made. */
export const reservationNamed = (
  context: CommitContext,
  name: string,
  spec: ReservationSpec,
): Reservation => ({
  kind: "Reservation",
  key: `Reservation/${spec.tenant}/${name}` as ObjectKey,
  meta: {
    namespace: spec.tenant,
    name,
    // A reservation's name says what it is held for; the revision tells namesakes apart.
    uid: `u${context.next}.${name}` as Uid,
    generation: 1,
    revision: context.next,
    createdMs: context.nowMs,
    labels: {},
    finalizers: [],
    deletingMs: undefined,
  },
  spec,
  status: {},
});
