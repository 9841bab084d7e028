import { describe, expect, test } from "vitest";
import {
  aPlane,
  type Plane,
  reservationKey,
  indexKey,
  WORKLOAD,
} from "../../../../test/builders/a-plane.ts";
import { codeOf } from "../../../../test/builders/code-of.ts";
import type { Role } from "../../model/actor.ts";
import type { Evidence } from "../../model/evidence.ts";
import { leaseKey, nodeKey, type ObjectKey } from "../../model/ids.ts";
import type { NodeHealth } from "../../model/objects.ts";
import type { Outcome } from "../../protocol/outcome.ts";

const queue = (
  plane: Plane,
  of: { index?: number; incarnation?: number; reservation?: ObjectKey; role?: Role } = {},
): Outcome =>
  plane.send(
    {
      kind: "transition",
      key: indexKey(of.index),
      incarnation: of.incarnation ?? 1,
      from: "admitted",
      to: "queued",
      reservation: of.reservation ?? reservationKey(indexKey(of.index), of.incarnation),
    },
    { role: of.role ?? "admit" },
  );

const PERSON: Evidence = { kind: "person", name: "ops", statement: "the rack burned" };

/** Moves node a-1, citing its present lease unless told otherwise. */
function move(
  plane: Plane,
  to: "suspect" | "unknown" | "fenced",
  of: { from?: NodeHealth; session?: number; seq?: number; evidence?: Evidence; role?: Role } = {},
): Outcome {
  const { health, session } = plane.node().status;
  const seq = of.seq ?? plane.ledger.objects.lease(leaseKey("a-1"))?.status.seq ?? 0;
  return plane.send(
    {
      kind: "transition",
      key: nodeKey("a-1"),
      session: of.session ?? session,
      from: of.from ?? health,
      to,
      evidence: of.evidence ?? { kind: "lease-expired", node: "a-1", session, seq },
    },
    { role: of.role ?? "node-health" },
  );
}

describe("queueing a replica", () => {
  test("cites the reservation of this very incarnation, and holds its quota itself from then on [RS2]", () => {
    const plane = aPlane({ desired: { cpuMillis: 300 }, quota: { cpuMillis: 1000 } });
    const reservation = plane.reserved();
    expect(codeOf(queue(plane))).toBe("committed");
    expect(plane.replica().status.stage).toBe("queued");
    expect(plane.get(reservation)).toBeUndefined();
    expect(plane.account()).toMatchObject({
      free: { cpuMillis: 700 },
      reserved: { cpuMillis: 300 },
      committed: { cpuMillis: 0 },
    });
  });

  test("is a conflict without a reservation [RS2]", () => {
    const plane = aPlane();
    plane.admitted();
    expect(queue(plane)).toMatchObject({ kind: "conflict", code: "reservation-not-held" });
  });

  test("is a conflict with the reservation of another replica [RS2]", () => {
    const plane = aPlane({ desired: { replicas: 2 } });
    plane.admitted(0);
    const reservation = plane.reserved(1);
    expect(codeOf(queue(plane, { index: 0, reservation }))).toBe("reservation-not-held");
  });

  test("is a conflict with the reservation of an earlier incarnation [RS2]", () => {
    const plane = aPlane();
    const reservation = plane.reserved();
    plane.putDesired({ replicas: 0 });
    plane.must({
      kind: "evict",
      replica: indexKey(),
      incarnation: 1,
      evidence: { kind: "surplus", workload: WORKLOAD },
    });
    plane.putDesired({ replicas: 1 });
    plane.admitted(0, 2);
    expect(codeOf(queue(plane, { incarnation: 2, reservation }))).toBe("reservation-not-held");
  });

  test("is a conflict with the reservation of a namesake that is gone [RS2]", () => {
    const plane = aPlane();
    const reservation = plane.reserved();
    const first = plane.replica().meta.uid;
    plane.putDesired({ replicas: 0 });
    plane.must({
      kind: "evict",
      replica: indexKey(),
      incarnation: 1,
      evidence: { kind: "surplus", workload: WORKLOAD },
    });
    plane.must({ kind: "delete", key: indexKey(), expect: {} });
    plane.putDesired({ replicas: 1 });
    expect(plane.admitted().meta.uid).not.toBe(first);
    expect(codeOf(queue(plane, { reservation }))).toBe("reservation-not-held");
  });

  test("is the admitting controller's alone [ST1]", () => {
    const plane = aPlane();
    plane.reserved();
    for (const role of ["user", "place", "agent"] as const) {
      expect(queue(plane, { role })).toMatchObject({ kind: "refused", code: "not-owner" });
    }
  });

  test("begins from admitted and from nothing else [ST2]", () => {
    const plane = aPlane();
    plane.queued();
    expect(queue(plane)).toMatchObject({ kind: "conflict", code: "wrong-stage", actual: "queued" });
  });

  test("speaks of the replica's present incarnation [ST3]", () => {
    const plane = aPlane();
    plane.reserved();
    expect(codeOf(queue(plane, { incarnation: 2 }))).toBe("wrong-incarnation");
  });

  test("of a replica that does not exist is a conflict [OB1]", () => {
    expect(codeOf(queue(aPlane()))).toBe("no-such-object");
  });
});

describe("a node that falls silent", () => {
  test("becomes suspect, and its replicas stay as they are [ST1]", () => {
    const plane = aPlane();
    plane.serving();
    expect(codeOf(move(plane, "suspect"))).toBe("committed");
    expect(plane.node().status.health).toBe("suspect");
    expect(plane.replica().status.stage).toBe("serving");
  });

  test("becomes unknown together with its replicas, which keep all they hold [ST1]", () => {
    const plane = aPlane({ desired: { cpuMillis: 300 } });
    plane.serving();
    plane.nowMs = 900;
    expect(codeOf(move(plane, "unknown"))).toBe("committed");
    expect(plane.replica().status).toMatchObject({
      stage: "unknown",
      stageSinceMs: 900,
      node: "a-1",
      session: 1,
    });
    expect(plane.ledger.objects.useOf("a-1").cpuMillis).toBe(300);
    expect(plane.account().committed.cpuMillis).toBe(300);
    expect(plane.lastCommit.changes).toHaveLength(2);
  });

  test("touches only those replicas that are not unknown already [ST1]", () => {
    const plane = aPlane();
    plane.serving();
    move(plane, "unknown");
    plane.nowMs = 18_500;
    expect(codeOf(move(plane, "fenced"))).toBe("committed");
    expect(plane.lastCommit.changes.map(({ key }) => key)).toEqual([nodeKey("a-1")]);
    expect(plane.replica().status.stageSinceMs).toBe(0);
  });

  test("is moved only by node-health [ST1]", () => {
    const plane = aPlane();
    for (const role of ["user", "admit", "agent", "release-lost"] as const) {
      expect(move(plane, "suspect", { role })).toMatchObject({
        kind: "refused",
        code: "not-owner",
      });
    }
  });

  test("is moved only from the health the command names [ST2]", () => {
    const plane = aPlane();
    move(plane, "suspect");
    const outcome = move(plane, "unknown", { from: "ready" });
    expect(outcome).toMatchObject({ kind: "conflict", code: "wrong-stage", actual: "suspect" });
  });

  test("never becomes better by a transition [ST2]", () => {
    const plane = aPlane();
    move(plane, "unknown");
    expect(codeOf(move(plane, "suspect"))).toBe("wrong-stage");
    // The same step again only says for how long by now, and not before there is more to say (EV11).
    expect(codeOf(move(plane, "unknown"))).toBe("lease-not-over");
    plane.vouchedGone();
    expect(codeOf(move(plane, "fenced"))).toBe("wrong-stage");
  });

  test("is moved only in its present session [LS1]", () => {
    const plane = aPlane();
    plane.renew({ session: 2, seq: 1 });
    expect(move(plane, "suspect", { session: 1 })).toMatchObject({
      kind: "refused",
      code: "session-ended",
    });
  });

  test("is moved only on the evidence of an expired lease [EV1]", () => {
    const plane = aPlane();
    const evidence: Evidence = { kind: "drain", node: "a-1" };
    for (const to of ["suspect", "unknown", "fenced"] as const) {
      expect(move(plane, to, { evidence })).toMatchObject({
        kind: "refused",
        code: "evidence-missing",
      });
    }
  });

  test("is not moved by a controller that claims to be a person [EV1]", () => {
    expect(codeOf(move(aPlane(), "fenced", { evidence: PERSON }))).toBe("evidence-missing");
  });

  test("is not moved when a renewal came in after the observer looked [EV2]", () => {
    const plane = aPlane();
    plane.renew({ seq: 2 });
    expect(move(plane, "suspect", { seq: 1 })).toMatchObject({
      kind: "conflict",
      code: "evidence-wrong",
    });
    const evidence: Evidence = { kind: "lease-expired", node: "a-1", session: 9, seq: 2 };
    expect(codeOf(move(plane, "suspect", { evidence }))).toBe("evidence-wrong");
  });

  test("that does not exist is a conflict [OB1]", () => {
    const outcome = aPlane().send({
      kind: "transition",
      key: nodeKey("z-9"),
      session: 1,
      from: "ready",
      to: "suspect",
      evidence: { kind: "lease-expired", node: "z-9", session: 1, seq: 1 },
    });
    expect(codeOf(outcome)).toBe("no-such-object");
  });
});

describe("fencing by a person's word", () => {
  test("needs no time to pass and is remembered as the reason [EV1]", () => {
    const plane = aPlane();
    plane.serving();
    expect(codeOf(move(plane, "fenced", { role: "user", evidence: PERSON }))).toBe("committed");
    expect(plane.node().status).toMatchObject({ health: "fenced", evidence: PERSON });
    expect(plane.replica().status.stage).toBe("unknown");
    expect(plane.lastCommit.evidence).toEqual(PERSON);
  });

  test("is heard once also after the node was fenced for its silence [EV5]", () => {
    const plane = aPlane({ desired: { onDisconnect: "keep" } });
    plane.serving();
    plane.fallenSilent();
    const lost = { kind: "node-fenced", node: "a-1", session: 1 } as const;
    const release = {
      kind: "release",
      key: plane.replica().key,
      incarnation: 1,
      evidence: lost,
    } as const;
    expect(codeOf(plane.send(release))).toBe("keeps-running");
    const word = { role: "user", evidence: PERSON } as const;
    expect(codeOf(move(plane, "fenced", word))).toBe("committed");
    expect(codeOf(move(plane, "fenced", word))).toBe("wrong-stage");
    expect(codeOf(plane.send(release))).toBe("committed");
  });

  test("permits fencing only, not the steps before it [ST1]", () => {
    const plane = aPlane();
    for (const to of ["suspect", "unknown"] as const) {
      expect(codeOf(move(plane, to, { role: "user", evidence: PERSON }))).toBe("not-owner");
    }
  });

  test("is not for a person who cites a lease [ST1]", () => {
    const plane = aPlane();
    plane.nowMs = 100_000;
    expect(codeOf(move(plane, "fenced", { role: "user" }))).toBe("not-owner");
  });
});
