/** The quota held for one incarnation of one replica. */
import type { ObjectKey } from "../../src/core/model/ids.ts";
import type { Replica, Reservation } from "../../src/core/model/objects.ts";
import type { ReservationSpec } from "../../src/core/model/reservation.ts";
import { aMeta } from "./a-meta.ts";

export function aReservation(owner: Replica, of: Partial<ReservationSpec> = {}): Reservation {
  const incarnation = of.incarnation ?? owner.status.incarnation;
  const key = `Reservation/${owner.meta.namespace}/${owner.meta.name}.${incarnation}` as ObjectKey;
  return {
    kind: "Reservation",
    key,
    meta: aMeta(key),
    spec: {
      for: "quota",
      owner: owner.key,
      ownerUid: owner.meta.uid,
      incarnation,
      tenant: owner.meta.namespace,
      amounts: owner.spec.template.ask.amounts,
      deadlineMs: 600_000,
      ...of,
    } as ReservationSpec,
    status: {},
  };
}
