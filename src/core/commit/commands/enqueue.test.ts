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
import { type Uid, workloadKey } from "../../model/ids.ts";
import type { IndexIncarnation } from "../../protocol/command.ts";
import type { Outcome } from "../../protocol/outcome.ts";

interface Enqueuing {
  readonly generation?: number;
  readonly role?: Role;
  readonly workload?: string;
}

const enqueue = (plane: Plane, indexes: readonly IndexIncarnation[], of: Enqueuing = {}): Outcome =>
  plane.send(
    {
      kind: "enqueue",
      workload: of.workload === undefined ? WORKLOAD : workloadKey("payments", of.workload),
      generation: of.generation ?? 1,
      indexes,
    },
    { role: of.role ?? "admit" },
  );

const firstIncarnations = (...indexes: readonly number[]): readonly IndexIncarnation[] =>
  indexes.map((index) => ({ index, incarnation: 1 }));

const many = (count: number): readonly IndexIncarnation[] =>
  firstIncarnations(...Array.from({ length: count }, (_, index) => index));

const stages = (plane: Plane, ...indexes: readonly number[]): readonly (string | undefined)[] =>
  indexes.map((index) => plane.ledger.objects.replica(indexKey(index))?.status.stage);

describe("enqueue", () => {
  test("gives indexes an incarnation, holds quota for each and queues them, in one commit [MN1]", () => {
    const plane = aPlane({ desired: { replicas: 3, cpuMillis: 300 }, quota: { cpuMillis: 1000 } });
    const before = plane.ledger.revision;
    expect(enqueue(plane, firstIncarnations(0, 1, 2))).toMatchObject({ kind: "committed" });
    expect(plane.ledger.revision).toBe(before + 1);
    expect(stages(plane, 0, 1, 2)).toEqual(["queued", "queued", "queued"]);
    for (const index of [0, 1, 2]) {
      const { key, status } = plane.replica(index);
      expect(status).toMatchObject({ incarnation: 1, node: undefined });
      expect(plane.get(reservationKey(key))).toBeUndefined();
    }
    expect(plane.account()).toMatchObject({
      free: { cpuMillis: 100 },
      reserved: { cpuMillis: 900 },
    });
  });

  test("gives each replica of one commit a uid of its own [MN1]", () => {
    const plane = aPlane({ desired: { replicas: 3 } });
    enqueue(plane, firstIncarnations(0, 1, 2));
    expect(new Set([0, 1, 2].map((index) => plane.replica(index).meta.uid)).size).toBe(3);
  });

  test("what was enqueued can be bound, and ends like any other [MN1]", () => {
    const plane = aPlane();
    enqueue(plane, firstIncarnations(0));
    plane.must({ kind: "bind", replica: indexKey(), incarnation: 1, node: "a-1", deviceIds: [] });
    expect(plane.replica().status).toMatchObject({ stage: "bound", node: "a-1" });
    expect(plane.get(reservationKey(indexKey()))).toBeUndefined();
  });

  test("gives a released index its next incarnation and keeps its uid [ST3]", () => {
    const plane = aPlane({ desired: { replicas: 2 } });
    plane.bound();
    plane.vouchedGone();
    const evidence = { kind: "node-fenced", node: "a-1", session: 1 } as const;
    plane.must({ kind: "release", key: indexKey(), incarnation: 1, evidence });
    const { uid } = plane.replica().meta;
    const outcome = enqueue(plane, [
      { index: 0, incarnation: 2 },
      { index: 1, incarnation: 1 },
    ]);
    expect(codeOf(outcome)).toBe("committed");
    expect(plane.replica()).toMatchObject({
      meta: { uid },
      status: { stage: "queued", incarnation: 2 },
    });
  });
});

describe("all indexes or none", () => {
  test.each([
    {
      title: "one is not wanted [BD2]",
      indexes: firstIncarnations(0, 1, 3),
      of: {},
      code: "index-not-wanted",
    },
    {
      title: "the generation is over [BD2]",
      indexes: firstIncarnations(0, 1),
      of: { generation: 2 },
      code: "index-not-wanted",
    },
    {
      title: "one is in another incarnation [ST3]",
      indexes: [...firstIncarnations(0), { index: 1, incarnation: 2 }],
      of: {},
      code: "wrong-incarnation",
    },
    {
      title: "the sender does not own the stage [ST1]",
      indexes: firstIncarnations(0, 1),
      of: { role: "place" as const },
      code: "not-owner",
    },
    {
      title: "the workload is gone [OB1]",
      indexes: firstIncarnations(0),
      of: { workload: "gone" },
      code: "no-such-object",
    },
  ])("none, when $title [MN1]", ({ indexes, of, code }) => {
    const plane = aPlane({ desired: { replicas: 3 } });
    expect(codeOf(enqueue(plane, indexes, of))).toBe(code);
    expect(plane.ledger.objects.all("Replica").size).toBe(0);
    expect(plane.ledger.objects.all("Reservation").size).toBe(0);
  });

  test("none, when one of them is on its way already [MN1] [ST2]", () => {
    const plane = aPlane({ desired: { replicas: 2 } });
    plane.queued(1);
    expect(enqueue(plane, firstIncarnations(0, 1))).toMatchObject({
      kind: "conflict",
      code: "wrong-stage",
      field: indexKey(1),
    });
    expect(stages(plane, 0)).toEqual([undefined]);
  });

  test("none, when a leak holds quota under one of the incarnations [MN1] [RS1]", () => {
    const plane = aPlane({ desired: { replicas: 2 } });
    const other = plane.queued(1);
    plane.plant({ ...other, status: { ...other.status, stage: "released" } });
    plane.plant(aReservation(other, { incarnation: 2, ownerUid: "another" as Uid }));
    const outcome = enqueue(plane, [
      { index: 0, incarnation: 1 },
      { index: 1, incarnation: 2 },
    ]);
    expect(codeOf(outcome)).toBe("reservation-exists");
    expect(stages(plane, 0)).toEqual([undefined]);
  });

  test("none, when the quota covers each but not all of them [MN2] [QT1]", () => {
    const plane = aPlane({ desired: { replicas: 3, cpuMillis: 400 }, quota: { cpuMillis: 1000 } });
    const outcome = enqueue(plane, firstIncarnations(0, 1, 2));
    expect(outcome).toMatchObject({ code: "quota-exceeded" });
    expect(plane.account()).toMatchObject({ reserved: { cpuMillis: 0 } });
    expect(codeOf(enqueue(plane, firstIncarnations(0, 1)))).toBe("committed");
  });
});

describe("what one command may name", () => {
  test("at least one index and at most 1024 [MN3]", () => {
    const plane = aPlane({
      desired: { replicas: 2000, cpuMillis: 1, memoryMiB: 1 },
      quota: { cpuMillis: 2000, memoryMiB: 2000 },
    });
    expect(enqueue(plane, [])).toMatchObject({ kind: "refused", code: "bad-object", actual: 0 });
    expect(codeOf(enqueue(plane, many(1_025)))).toBe("bad-object");
    expect(codeOf(enqueue(plane, many(1_024)))).toBe("committed");
  });

  test.each([
    { title: "twice", indexes: firstIncarnations(0, 0) },
    { title: "out of order", indexes: firstIncarnations(1, 0) },
    { title: "that are no numbers", indexes: firstIncarnations(Number.NaN, 0) },
    { title: "below zero", indexes: firstIncarnations(-1, 0) },
    { title: "in between", indexes: firstIncarnations(0, 0.5) },
  ])("no indexes $title [MN3]", ({ indexes }) => {
    const plane = aPlane({ desired: { replicas: 3 } });
    expect(["bad-object", "index-not-wanted"]).toContain(codeOf(enqueue(plane, indexes)));
    expect(plane.ledger.objects.all("Replica").size).toBe(0);
  });
});
