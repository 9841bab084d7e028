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
import { nodeKey, type Uid } from "../../model/ids.ts";
import type { Outcome } from "../../protocol/outcome.ts";

const FENCED: Evidence = { kind: "node-fenced", node: "a-1", session: 1 };
const ENDED: Evidence = { kind: "session-ended", node: "a-1", session: 1 };
const GONE: Evidence = { kind: "owner-gone", owner: indexKey() };

const release = (
  plane: Plane,
  evidence: Evidence,
  of: { incarnation?: number; role?: Role } = {},
): Outcome =>
  plane.send(
    { kind: "release", key: indexKey(), incarnation: of.incarnation ?? 1, evidence },
    { role: of.role ?? "release-lost" },
  );

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

describe("a lost replica", () => {
  test("is released when its node was fenced, and gives back all it held [EV1]", () => {
    const plane = aPlane({ desired: { cpuMillis: 300 } });
    plane.serving();
    plane.fallenSilent();
    expect(codeOf(release(plane, FENCED))).toBe("committed");
    expect(plane.replica().status).toMatchObject({
      stage: "released",
      node: undefined,
      deviceIds: [],
    });
    expect(plane.account().committed.cpuMillis).toBe(0);
    expect(plane.ledger.objects.useOf("a-1").cpuMillis).toBe(0);
  });

  test("is released when its node's session has ended [EV1]", () => {
    const plane = aPlane();
    plane.serving();
    plane.renew({ session: 2, seq: 1 });
    expect(codeOf(release(plane, ENDED))).toBe("committed");
    expect(plane.lastCommit.evidence).toEqual(ENDED);
  });

  test("is not released on any other kind of evidence [EV1]", () => {
    const plane = aPlane();
    plane.serving();
    plane.fallenSilent();
    const others: readonly Evidence[] = [
      { kind: "lease-expired", node: "a-1", session: 1, seq: 1 },
      { kind: "person", name: "ops", statement: "gone" },
      { kind: "surplus", workload: WORKLOAD },
      { kind: "drain", node: "a-1" },
      GONE,
    ];
    for (const evidence of others) {
      expect(release(plane, evidence)).toMatchObject({ kind: "refused", code: "evidence-missing" });
    }
  });

  test("is not released while its node is merely silent [EV2]", () => {
    const plane = aPlane();
    plane.serving();
    expect(codeOf(release(plane, FENCED))).toBe("evidence-wrong");
    plane.must({
      kind: "transition",
      key: nodeKey("a-1"),
      session: 1,
      from: "ready",
      to: "unknown",
      evidence: { kind: "lease-expired", node: "a-1", session: 1, seq: 1 },
    });
    expect(release(plane, FENCED)).toMatchObject({
      kind: "conflict",
      code: "evidence-wrong",
      expected: "fenced",
      actual: "unknown",
    });
  });

  test("is not released while the session it was bound in goes on [EV2]", () => {
    const plane = aPlane();
    plane.serving();
    expect(release(plane, ENDED)).toMatchObject({ kind: "conflict", code: "evidence-wrong" });
  });

  test("is not released on evidence about another node or session [EV2]", () => {
    const plane = aPlane();
    plane.joined("b-1");
    plane.serving();
    plane.vouchedGone("b-1");
    expect(codeOf(release(plane, { ...FENCED, node: "b-1" }))).toBe("evidence-wrong");
    plane.vouchedGone("a-1");
    expect(codeOf(release(plane, { ...FENCED, session: 2 }))).toBe("evidence-wrong");
    expect(codeOf(release(plane, FENCED))).toBe("committed");
  });

  test("that keeps running when disconnected outlives its node's silence [EV5]", () => {
    const plane = aPlane({ desired: { onDisconnect: "keep" } });
    plane.serving();
    plane.fallenSilent();
    expect(release(plane, FENCED)).toMatchObject({ kind: "conflict", code: "keeps-running" });
    expect(plane.replica().status.node).toBe("a-1");
  });

  test("that keeps running is released when a person says that the node is gone [EV5]", () => {
    const plane = aPlane({ desired: { onDisconnect: "keep" } });
    plane.serving();
    plane.vouchedGone();
    expect(codeOf(release(plane, FENCED))).toBe("committed");
  });

  test("that keeps running is released when a new session came without it [EV5]", () => {
    const plane = aPlane({ desired: { onDisconnect: "keep" } });
    plane.serving();
    plane.fallenSilent();
    plane.renew({ session: 2, seq: 1, kept: [] });
    expect(codeOf(release(plane, ENDED))).toBe("committed");
  });

  test("is released by release-lost alone [ST1]", () => {
    const plane = aPlane();
    plane.serving();
    plane.vouchedGone();
    for (const role of ["user", "admit", "node-health", "agent", "reclaim-leak"] as const) {
      expect(release(plane, FENCED, { role })).toMatchObject({
        kind: "refused",
        code: "not-owner",
      });
    }
  });

  test("holds a node: one that is at rest already is a conflict [ST2]", () => {
    const plane = aPlane();
    plane.serving();
    plane.vouchedGone();
    release(plane, FENCED);
    expect(release(plane, FENCED)).toMatchObject({ kind: "conflict", code: "wrong-stage" });
  });

  test("that was never bound is not release-lost's to end [ST1]", () => {
    const plane = aPlane();
    plane.queued();
    expect(codeOf(release(plane, FENCED))).toBe("not-owner");
  });

  test("is released in its present incarnation [ST3]", () => {
    const plane = aPlane();
    plane.serving();
    plane.vouchedGone();
    expect(release(plane, FENCED, { incarnation: 2 })).toMatchObject({ code: "wrong-incarnation" });
  });

  test("that does not exist is a conflict [OB1]", () => {
    expect(codeOf(release(aPlane(), FENCED))).toBe("no-such-object");
    expect(codeOf(reclaim(aPlane()))).toBe("no-such-object");
  });
});

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
});
