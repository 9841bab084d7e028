/**
 * Brings a replica that was admitted to the queue where quota was short: holds it for its
 * incarnation, then queues it.
 */
import type { Look } from "../protocol/decision.ts";
import type { Amounts } from "../model/amounts.ts";
import type { Replica } from "../model/objects.ts";
import { quotaShort } from "../observe/accounts/quota-room.ts";
import { isHeldFor } from "../observe/held-for.ts";
import type { View } from "../observe/view.ts";
import { queueOperation, reserveOperation } from "../protocol/operations.ts";
import type { Findings } from "./admit.ts";
import { quotaWait } from "./quota-wait.ts";

/**
 * Reservations say until when they are meant to be used; it is shown to people and ends nothing by
 * itself.
 */
const RESERVATION_MS = 600_000;

/** True when quota is held for the replica already, and all it needs is to be queued. */
export function queueReserved(replica: Replica, view: View, found: Findings): boolean {
  for (const held of view.objects.reservationsOf(replica.key)) {
    if (held.spec.for !== "quota" || !isHeldFor(held, replica)) continue;
    found.intents.push({
      kind: "transition",
      operation: queueOperation(replica),
      key: replica.key,
      incarnation: replica.status.incarnation,
      from: "admitted",
      to: "queued",
      reservation: held.key,
    });
    return true;
  }
  return false;
}

/** True when there is quota, which the step that is proposed spends. */
export function reserve(
  replica: Replica,
  view: View,
  look: Look,
  needed: Amounts,
  found: Findings,
): boolean {
  const { namespace: tenant } = replica.meta;
  const { priorityClass } = replica.spec.template;
  const short = quotaShort(view.objects, { tenant, priorityClass, amounts: needed });
  if (short !== undefined) {
    found.quota ??= quotaWait(replica, short, view);
    return false;
  }
  found.intents.push({
    kind: "reserve",
    operation: reserveOperation(replica),
    replica: replica.key,
    incarnation: replica.status.incarnation,
    deadlineMs: look.now + RESERVATION_MS,
  });
  return true;
}
