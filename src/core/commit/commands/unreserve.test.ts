import { describe, expect, test } from "vitest";
import {
  aPlane,
  type Plane,
  reservationKey,
  indexKey,
  WORKLOAD,
} from "../../../../test/builders/a-plane.ts";
import { aReservation } from "../../../../test/builders/a-reservation.ts";
import { codeOf } from "../../../../test/builders/code-of.ts";
import type { Role } from "../../model/actor.ts";
import type { Evidence } from "../../model/evidence.ts";
import type { Uid } from "../../model/ids.ts";
import type { Outcome } from "../../protocol/outcome.ts";

const FENCED: Evidence = { kind: "node-fenced", node: "a-1", session: 1 };
const ENDED: Evidence = { kind: "session-ended", node: "a-1", session: 1 };
const GONE: Evidence = { kind: "owner-gone", owner: indexKey() };

const reclaim = (
  plane: Plane,
  of: { evidence?: Evidence; role?: Role; incarnation?: number } = {},
): Outcome =>
  plane.send(
    {
      kind: "unreserve",
      key: reservationKey(indexKey(), of.incarnation),
      incarnation: of.incarnation ?? 1,
      evidence: of.evidence ?? GONE,
    },
    { role: of.role ?? "reclaim-leak" },
  );

/** Admitted and reserved for, then no longer wanted: the reservation may have outlived its incarnation. */
function leaked(): Plane {
  const plane = aPlane();
  plane.reserved();
  plane.putDesired({ replicas: 0 });
  const evidence: Evidence = { kind: "surplus", workload: WORKLOAD };
  plane.must({ kind: "evict", replica: indexKey(), incarnation: 1, evidence });
  return plane;
}

describe("a reservation", () => {
  test("is given back once its owner's incarnation is over [RS2]", () => {
    const plane = leaked();
    // An eviction may give the reservation back by itself; what counts is that it ends, and ends
    // once.
    reclaim(plane);
    expect(plane.ledger.objects.all("Reservation").size).toBe(0);
    expect(plane.account()).toMatchObject({
      free: { cpuMillis: 1000 },
      reserved: { cpuMillis: 0 },
    });
    expect(codeOf(reclaim(plane))).toBe("no-such-object");
  });

  test.each([
    { title: "is in another incarnation [RS3]", of: { incarnation: 7 } },
    { title: "is the namesake of the one it was made for [RS3]", of: { ownerUid: "old" as Uid } },
    { title: "is gone [RS3]", of: { owner: indexKey(9) } },
  ])("is given back when its owner $title", ({ of }) => {
    const plane = aPlane();
    const leak = aReservation(plane.admitted(), of);
    plane.plant(leak);
    expect(
      codeOf(
        plane.send({
          kind: "unreserve",
          key: leak.key,
          incarnation: leak.spec.incarnation,
          evidence: {
            kind: "owner-gone",
            owner: leak.spec.owner,
          },
        }),
      ),
    ).toBe("committed");
    expect(plane.account().reserved.cpuMillis).toBe(0);
  });

  test("is given back when its owner was bound without it [RS3]", () => {
    const plane = aPlane();
    plane.plant(aReservation(plane.bound()));
    expect(codeOf(reclaim(plane))).toBe("committed");
  });

  test("whose owner is admitted is useful partial progress, however old it is [RS3]", () => {
    const plane = aPlane();
    plane.reserved();
    plane.nowMs = 1_000_000_000;
    expect(reclaim(plane)).toMatchObject({ kind: "conflict", code: "reservation-in-use" });
    expect(plane.account().reserved.cpuMillis).toBe(100);
  });

  test("whose owner is queued is useful partial progress [RS3]", () => {
    const plane = aPlane();
    plane.plant(aReservation(plane.queued()));
    expect(codeOf(reclaim(plane))).toBe("reservation-in-use");
  });

  test("is never released for its age when it is quota that is held [RS3]", () => {
    const plane = aPlane();
    plane.reserved();
    plane.nowMs = 10_000_000;
    const evidence = { kind: "hold-over", owner: indexKey() } as const;
    expect(codeOf(reclaim(plane, { evidence }))).toBe("evidence-missing");
  });

  test("is released only on the evidence that its owner is gone [EV1]", () => {
    const plane = aPlane();
    plane.reserved();
    for (const evidence of [FENCED, ENDED, { kind: "drain", node: "a-1" } as const]) {
      expect(reclaim(plane, { evidence })).toMatchObject({
        kind: "refused",
        code: "evidence-missing",
      });
    }
  });

  test("is released by reclaim-leak alone [ST1]", () => {
    const plane = aPlane();
    plane.reserved();
    for (const role of ["user", "admit", "release-lost"] as const) {
      expect(codeOf(reclaim(plane, { role }))).toBe("not-owner");
    }
  });

  test("that does not exist is a conflict [OB1]", () => {
    expect(codeOf(reclaim(aPlane()))).toBe("no-such-object");
  });
});
