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
import { quotaKey } from "../../model/ids.ts";
import type { Outcome } from "../../protocol/outcome.ts";

const reserve = (
  plane: Plane,
  of: { index?: number; incarnation?: number; role?: Role } = {},
): Outcome =>
  plane.send(
    {
      kind: "reserve",
      replica: indexKey(of.index),
      incarnation: of.incarnation ?? 1,
      deadlineMs: 9_000,
    },
    { role: of.role ?? "admit" },
  );

describe("reserve", () => {
  test("moves the replica's amounts from free to reserved [QT1]", () => {
    const plane = aPlane({ desired: { cpuMillis: 300 }, quota: { cpuMillis: 1000 } });
    plane.admitted();
    expect(codeOf(reserve(plane))).toBe("committed");
    expect(plane.account()).toMatchObject({
      free: { cpuMillis: 700 },
      reserved: { cpuMillis: 300 },
      committed: { cpuMillis: 0 },
    });
    expect(plane.get(reservationKey(indexKey()))).toMatchObject({
      spec: {
        owner: indexKey(),
        ownerUid: plane.replica().meta.uid,
        incarnation: 1,
        deadlineMs: 9_000,
      },
    });
  });

  test("is a conflict when a quantity is not free, and says which [QT1]", () => {
    const plane = aPlane({ desired: { memoryMiB: 300, replicas: 2 }, quota: { memoryMiB: 500 } });
    plane.admitted(0);
    plane.admitted(1);
    reserve(plane, { index: 0 });
    expect(reserve(plane, { index: 1 })).toMatchObject({
      kind: "conflict",
      code: "quota-exceeded",
      field: `${quotaKey("payments")} memoryMiB`,
      expected: 300,
      actual: 200,
    });
    expect(plane.account().reserved.memoryMiB).toBe(300);
  });

  test("counts what is committed as well as what is reserved [QT1]", () => {
    const plane = aPlane({ desired: { cpuMillis: 300, replicas: 2 }, quota: { cpuMillis: 500 } });
    plane.bound({ index: 0 });
    plane.admitted(1);
    expect(codeOf(reserve(plane, { index: 1 }))).toBe("quota-exceeded");
  });

  test("takes the last of the quota to the unit [QT1]", () => {
    const plane = aPlane({ desired: { cpuMillis: 500 }, quota: { cpuMillis: 500 } });
    plane.admitted();
    expect(codeOf(reserve(plane))).toBe("committed");
  });

  test("is a conflict when the tenant has no quota, even for nothing [QT1]", () => {
    const plane = aPlane({ desired: { cpuMillis: 0, memoryMiB: 0 } });
    plane.must({ kind: "delete", key: quotaKey("payments"), expect: {} });
    plane.admitted();
    expect(reserve(plane)).toMatchObject({ kind: "conflict", code: "quota-missing" });
  });

  test("one incarnation of one replica is reserved for once [RS1]", () => {
    const plane = aPlane();
    plane.admitted();
    reserve(plane);
    expect(reserve(plane)).toMatchObject({
      kind: "conflict",
      code: "reservation-exists",
      actual: reservationKey(indexKey()),
    });
    expect(plane.ledger.objects.all("Reservation").size).toBe(1);
  });

  test("the next incarnation has a reservation of its own, whatever became of the last [RS1]", () => {
    const plane = aPlane();
    plane.reserved();
    const evidence = { kind: "surplus", workload: WORKLOAD } as const;
    plane.putDesired({ replicas: 0 });
    plane.must({ kind: "evict", replica: indexKey(), incarnation: 1, evidence });
    plane.putDesired({ replicas: 1 });
    plane.admitted(0, 2);
    expect(codeOf(reserve(plane, { incarnation: 2 }))).toBe("committed");
    expect(plane.get(reservationKey(indexKey(), 2))).toMatchObject({ spec: { incarnation: 2 } });
  });

  test("only the admitting controller reserves [ST1]", () => {
    const plane = aPlane();
    plane.admitted();
    for (const role of ["user", "place", "agent"] as const) {
      expect(codeOf(reserve(plane, { role }))).toBe("not-owner");
    }
  });

  test("only an admitted replica is reserved for [ST2]", () => {
    const plane = aPlane();
    plane.queued();
    expect(reserve(plane)).toMatchObject({ code: "wrong-stage", actual: "queued" });
  });

  test("a reservation for another incarnation is a conflict [ST3]", () => {
    const plane = aPlane();
    plane.admitted();
    expect(reserve(plane, { incarnation: 2 })).toMatchObject({
      kind: "conflict",
      code: "wrong-incarnation",
    });
  });

  test("a reservation for a replica that does not exist is a conflict [OB1]", () => {
    expect(codeOf(reserve(aPlane()))).toBe("no-such-object");
  });
});
