/**
 * Frees reservations without an owner. A reservation is a leak when the incarnation it was made for
 * is over, and useful partial progress while that incarnation is on its way, however old it is: age
 * alone never decides. Only room on a node is held for a time, because others wait for it; then it
 * goes back, and the owner waits with them.
 */
import type { Change } from "../protocol/commit-record.ts";
import type { Controller } from "../runner/controller.ts";
import { type Decision, type Look, propose, settled, wait } from "../protocol/decision.ts";
import type { Evidence } from "../model/evidence.ts";
import type { ObjectKey, Uid } from "../model/ids.ts";
import type { Reservation } from "../model/objects.ts";
import type { View } from "../observe/view.ts";
import { reclaimOperation } from "../protocol/operations.ts";

export function createReclaimLeak(): Controller {
  const holds = new HeldSince();
  return {
    role: "reclaim-leak",
    interest: { kinds: new Set(["Replica", "Reservation"]), node: undefined },
    keysFor: ({ key, before, after }: Change, view) => {
      const object = after ?? before;
      if (object?.kind === "Reservation") return [key];
      return object?.kind === "Replica"
        ? view.objects.reservationsOf(key).map((held) => held.key)
        : [];
    },
    allKeys: (view) => [...view.objects.all("Reservation").keys()],
    reconcile: (key, view, look) => reclaimLeak(key, view, look, holds),
  };
}

/**
 * When room that is held was first seen. Counted on this controller's clock: the times in the
 * reservation are the authority's. A restarted controller counts anew, which only waits longer.
 */
class HeldSince {
  private readonly seen = new Map<ObjectKey, { readonly uid: Uid; readonly sinceMs: number }>();

  dueMs({ key, meta, spec }: Reservation, nowMs: number): number {
    const known = this.seen.get(key);
    const sinceMs = known?.uid === meta.uid ? known.sinceMs : nowMs;
    this.seen.set(key, { uid: meta.uid, sinceMs });
    return sinceMs + spec.deadlineMs - meta.createdMs;
  }

  forget(key: ObjectKey): void {
    this.seen.delete(key);
  }
}

function reclaimLeak(key: ObjectKey, view: View, look: Look, holds: HeldSince): Decision {
  const reservation = view.objects.reservation(key);
  if (reservation === undefined) {
    holds.forget(key);
    return settled;
  }
  const { spec } = reservation;
  const { owner, incarnation } = spec;
  // Kept for a workload, not for an incarnation: its controller frees it.
  if (spec.for === "recovery") return settled;
  const over = incarnationIsOver(reservation, view);
  if (over !== undefined) {
    return release(
      reservation,
      { kind: "owner-gone", owner },
      `${owner} incarnation ${incarnation}, but ${over}`,
    );
  }
  if (spec.for === "quota") return settled;
  const { room } = spec;
  const dueMs = holds.dueMs(reservation, look.now);
  if (look.now >= dueMs) {
    const summary = `${owner} on ${room.node} for its full time`;
    return release(reservation, { kind: "hold-over", owner }, summary);
  }
  return wait({
    reason: "room-held",
    wakes: [],
    deadlineMs: dueMs,
    because: { summary: `room on ${room.node} is reserved for ${owner}` },
  });
}

const release = (reservation: Reservation, evidence: Evidence, why: string): Decision =>
  propose(
    [
      {
        kind: "unreserve",
        operation: reclaimOperation(reservation),
        key: reservation.key,
        incarnation: reservation.spec.incarnation,
        evidence,
      },
    ],
    { summary: `held for ${why}` },
  );

function incarnationIsOver({ spec }: Reservation, view: View): string | undefined {
  const owner = view.objects.replica(spec.owner);
  if (owner === undefined || owner.meta.uid !== spec.ownerUid) return "the owner is gone";
  const { incarnation, stage } = owner.status;
  if (incarnation !== spec.incarnation) return `the owner is in incarnation ${incarnation}`;
  return stage === "admitted" || stage === "queued" ? undefined : `the owner is ${stage}`;
}
