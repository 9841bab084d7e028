/** Holds quota for one life of one replica: free → reserved, at most once per intent (RS1, QT1). */
import { type ObjectKey, quotaKey, type Uid } from "../../model/ids.ts";
import type { Replica, Reservation, ReservationSpec } from "../../model/objects.ts";
import { type QuotaAsk, quotaShort } from "../../observe/accounts/quota-room.ts";
import type { IntentOf } from "../../protocol/command.ts";
import { type Bench, missing, type Verdict } from "../verdict.ts";
import { no, type No } from "../../protocol/no.ts";

export function judgeReserve(bench: Bench, intent: IntentOf<"reserve">): Verdict {
  const replica = bench.ledger.objects.replica(intent.replica);
  if (replica === undefined) return missing(intent.replica);
  if (bench.role !== "admit") return no("not-owner", intent.replica, "admit", bench.role);
  const { stage, life } = replica.status;
  if (life !== intent.life) return no("wrong-life", replica.key, life, intent.life);
  if (stage !== "admitted") return no("wrong-stage", replica.key, "admitted", stage);
  const held = heldReservation(bench, replica);
  if (held !== undefined) return no("reservation-exists", replica.key, "none held", held.key);
  const { ask, priorityClass } = replica.spec.template;
  const tenant = replica.meta.namespace;
  const short = checkQuota(bench, { tenant, priorityClass, amounts: ask.amounts });
  if (short !== undefined) return short;
  const reservation = reservationFor(bench, replica, intent.deadlineMs);
  return [{ key: reservation.key, before: undefined, after: reservation }];
}

/**
 * A sender that lost the reply to the first reservation must find it, not make a second one. A namesake's leak is
 * in the way, too, until it is reclaimed.
 */
export function heldReservation(bench: Bench, { key, status }: Replica): Reservation | undefined {
  for (const held of bench.ledger.objects.reservationsOf(key)) {
    // Room is held beside the quota, not instead of it.
    if (held.spec.life === status.life && held.spec.room === undefined) return held;
  }
  return undefined;
}

/** A tenant reserves only what is free or lent to it, and nothing without a quota (QT1, QT5, QT6). */
export function checkQuota(bench: Bench, ask: QuotaAsk): No | undefined {
  const { objects } = bench.ledger;
  const key = quotaKey(ask.tenant);
  const { spec } = objects.books.of(ask.tenant);
  if (spec === undefined) return no("quota-missing", key, "exists", "missing");
  const short = quotaShort(objects, ask);
  if (short === undefined) return undefined;
  const { bound, name, room } = short;
  const of = { tenant: "", group: `group.${spec.group}.`, class: `classes.${ask.priorityClass}.` };
  return no("quota-exceeded", `${key} ${of[bound]}${name}`, ask.amounts[name], room);
}

function reservationFor(bench: Bench, replica: Replica, deadlineMs: number): Reservation {
  const { priorityClass } = replica.spec.template;
  const part = priorityClass === "" ? {} : { priorityClass };
  return newReservation(bench, replica, { suffix: "", spec: { ...part, deadlineMs } });
}

/** Held for one life of the replica; the suffix tells what it holds apart from its quota. */
export function newReservation(
  bench: Bench,
  replica: Replica,
  of: {
    readonly suffix: string;
    readonly spec: Pick<
      ReservationSpec,
      "deadlineMs" | "priorityClass" | "room" | "policyRevision"
    >;
  },
): Reservation {
  const { life } = replica.status;
  return reservationNamed(bench, `${replica.meta.name}.${life}${of.suffix}`, {
    owner: replica.key,
    ownerUid: replica.meta.uid,
    life,
    tenant: replica.meta.namespace,
    amounts: replica.spec.template.ask.amounts,
    ...of.spec,
  });
}

/** The only place in which a reservation is made. */
export const reservationNamed = (
  bench: Bench,
  name: string,
  spec: ReservationSpec,
): Reservation => ({
  kind: "Reservation",
  key: `Reservation/${spec.tenant}/${name}` as ObjectKey,
  meta: {
    namespace: spec.tenant,
    name,
    // A reservation's name says what it is held for; the revision tells namesakes apart.
    uid: `u${bench.next}.${name}` as Uid,
    generation: 1,
    revision: bench.next,
    createdMs: bench.nowMs,
    labels: {},
    finalizers: [],
    deletingMs: undefined,
  },
  spec,
  status: {},
});
