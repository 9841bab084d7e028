/**
 * Gives back quota that is held for nobody. A reservation is a leak when the life it was made for is over,
 * and useful partial progress while that life is on its way, however old it is: age alone never decides.
 */
import type { Change } from "../commit/commit-record.ts";
import type { Controller } from "../controller.ts";
import { type Decision, propose, settled } from "../decision.ts";
import type { ObjectKey } from "../model/ids.ts";
import type { Reservation } from "../model/objects.ts";
import type { View } from "../observe/view.ts";
import { reclaimOperation } from "../operations.ts";

export const createReclaimLeak = (): Controller => ({
  role: "reclaim-leak",
  interest: { kinds: new Set(["Replica", "Reservation"]), node: undefined },
  keysFor: ({ key, before, after }: Change, view) => {
    const object = after ?? before;
    if (object?.kind === "Reservation") return [key];
    return object?.kind === "Replica" ? [...view.objects.reservationsOf(key).keys()] : [];
  },
  allKeys: (view) => [...view.objects.all("Reservation").keys()],
  reconcile: reclaimLeak,
});

export function reclaimLeak(key: ObjectKey, view: View): Decision {
  const reservation = view.objects.reservation(key);
  if (reservation === undefined) return settled;
  const over = lifeIsOver(reservation, view);
  if (over === undefined) return settled;
  return propose(
    [
      {
        kind: "release",
        operation: reclaimOperation(reservation),
        key,
        life: reservation.spec.life,
        evidence: { kind: "owner-gone", owner: reservation.spec.owner },
      },
    ],
    { summary: `held for ${reservation.spec.owner} life ${reservation.spec.life}, but ${over}` },
  );
}

function lifeIsOver({ spec }: Reservation, view: View): string | undefined {
  const owner = view.objects.replica(spec.owner);
  if (owner === undefined || owner.meta.uid !== spec.ownerUid) return "the owner is gone";
  const { life, stage } = owner.status;
  if (life !== spec.life) return `the owner lives its life ${life}`;
  return stage === "admitted" || stage === "queued" ? undefined : `the owner is ${stage}`;
}
