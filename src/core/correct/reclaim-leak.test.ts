import { describe, expect, test } from "vitest";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { aReservation } from "../../../test/builders/a-reservation.ts";
import { aLook } from "../../../test/builders/a-turn.ts";
import { aView } from "../../../test/builders/a-view.ts";
import type { Decision } from "../protocol/decision.ts";
import type { Uid } from "../model/ids.ts";
import type { Replica, Reservation } from "../model/objects.ts";
import { reclaimOperation } from "../protocol/operations.ts";
import { createReclaimLeak } from "./reclaim-leak.ts";

const controller = createReclaimLeak();

const decide = (reservation: Reservation, owner: Replica | undefined, now = 0): Decision =>
  controller.reconcile(
    reservation.key,
    aView(controller, owner ? [reservation, owner] : [reservation]),
    aLook(now),
  );

describe("useful partial progress", () => {
  test.each([
    { title: "admitted [RS3]", stage: "admitted" as const },
    { title: "queued [RS3]", stage: "queued" as const },
  ])("a reservation whose owner is $title is left alone, however old it is", ({ stage }) => {
    const owner = aReplica({ stage });
    const old = aReservation(owner, { deadlineMs: 0 });
    expect(decide(old, owner, 1_000_000_000)).toEqual({ kind: "settled" });
  });
});

describe("a leak", () => {
  test("is released on the evidence that its owner is gone [EV1]", () => {
    const reservation = aReservation(aReplica());
    expect(decide(reservation, undefined)).toMatchObject({
      kind: "propose",
      intents: [
        {
          kind: "unreserve",
          operation: reclaimOperation(reservation),
          key: reservation.key,
          incarnation: 1,
          evidence: { kind: "owner-gone", owner: aReplica().key },
        },
      ],
    });
  });

  test("is a reservation whose owner is in another incarnation [RS3]", () => {
    const reservation = aReservation(aReplica(), { incarnation: 1 });
    expect(decide(reservation, aReplica({ stage: "admitted", incarnation: 2 })).kind).toBe(
      "propose",
    );
  });

  test("is a reservation whose owner was replaced by a namesake [RS3]", () => {
    const reservation = aReservation(aReplica());
    const namesake = aReplica({ stage: "admitted", uid: "another" as Uid });
    expect(decide(reservation, namesake).kind).toBe("propose");
  });

  test("is a reservation whose owner no longer needs it [RS3]", () => {
    for (const stage of ["bound", "serving", "released", "failed"] as const) {
      const owner = aReplica({ stage });
      expect(decide(aReservation(owner), owner).kind).toBe("propose");
    }
  });
});

test("a reservation that is gone is settled", () => {
  const { key } = aReservation(aReplica());
  expect(controller.reconcile(key, aView(controller, []), aLook()).kind).toBe("settled");
});

test("a changed owner concerns the reservations held for it", () => {
  const owner = aReplica();
  const reservation = aReservation(owner);
  const view = aView(controller, [owner, reservation]);
  for (const after of [owner, reservation]) {
    expect(controller.keysFor({ key: after.key, before: undefined, after }, view)).toEqual([
      reservation.key,
    ]);
  }
  expect(controller.allKeys(view)).toEqual([reservation.key]);
});

describe("held room", () => {
  const room = { node: "a-1", deviceIds: [], epoch: 1 };
  const owner = aReplica({ stage: "queued" });
  const held = aReservation(owner, { for: "preemptor", room, deadlineMs: 60_000 });

  test("is left to its owner for as long as was said, counted from when it was seen [PE7]", () => {
    const own = createReclaimLeak();
    const view = aView(own, [held, owner]);
    const at = (now: number): Decision => own.reconcile(held.key, view, aLook(now));
    expect(at(5_000)).toMatchObject({ kind: "wait", reason: "room-held", deadlineMs: 65_000 });
    expect(at(64_999)).toMatchObject({ kind: "wait", deadlineMs: 65_000 });
    expect(at(65_000)).toMatchObject({
      kind: "propose",
      intents: [
        { kind: "unreserve", key: held.key, evidence: { kind: "hold-over", owner: owner.key } },
      ],
    });
  });

  test("goes back at once when its owner has no use for it any more [PE7]", () => {
    expect(decide(held, aReplica({ stage: "bound", node: "b-1" }))).toMatchObject({
      kind: "propose",
      intents: [{ evidence: { kind: "owner-gone", owner: owner.key } }],
    });
  });
});
