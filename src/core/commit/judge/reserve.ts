/** Holds quota for one life of one replica: free → reserved, at most once per intent (RS1, QT1). */
import { shortage } from "../../model/amounts.ts";
import { type ObjectKey, quotaKey, type Uid } from "../../model/ids.ts";
import type { Reservation } from "../../model/objects.ts";
import type { IntentOf } from "../command.ts";
import { type Bench, missing, no, type Verdict } from "../verdict.ts";

export function judgeReserve(bench: Bench, intent: IntentOf<"reserve">): Verdict {
  const { objects } = bench.ledger;
  const replica = objects.replica(intent.replica);
  if (replica === undefined) return missing(intent.replica);
  if (bench.role !== "admit") return no("not-owner", intent.replica, "admit", bench.role);
  const { stage, life } = replica.status;
  if (life !== intent.life) return no("wrong-life", replica.key, life, intent.life);
  if (stage !== "admitted") return no("wrong-stage", replica.key, "admitted", stage);
  for (const held of objects.reservationsOf(replica.key).values()) {
    // Whoever lost the reply to the first reservation must find it, not make a second one. A namesake's
    // leak is in the way, too, until it is reclaimed.
    if (held.spec.life === life)
      return no("reservation-exists", replica.key, "none held", held.key);
  }
  const tenant = replica.meta.namespace;
  if (objects.get(quotaKey(tenant)) === undefined) {
    return no("quota-missing", quotaKey(tenant), "exists", "missing");
  }
  const amounts = replica.spec.template.ask.amounts;
  const free = objects.accountOf(tenant).free;
  const short = shortage(amounts, free);
  if (short !== undefined) {
    return no("quota-exceeded", `${quotaKey(tenant)} ${short}`, amounts[short], free[short]);
  }
  const name = `${replica.meta.name}.${life}`;
  const reservation: Reservation = {
    kind: "Reservation",
    key: `Reservation/${tenant}/${name}` as ObjectKey,
    meta: {
      namespace: tenant,
      name,
      uid: `u${bench.next}` as Uid,
      generation: 1,
      revision: bench.next,
      createdMs: bench.nowMs,
      labels: {},
      finalizers: [],
      deletingMs: undefined,
    },
    spec: {
      owner: replica.key,
      ownerUid: replica.meta.uid,
      life,
      tenant,
      amounts,
      deadlineMs: intent.deadlineMs,
    },
    status: {},
  };
  return [{ key: reservation.key, before: undefined, after: reservation }];
}
