import { describe, expect, test } from "vitest";
import { aQuota } from "../../../test/builders/a-quota.ts";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { aReservation } from "../../../test/builders/a-reservation.ts";
import { aLook } from "../../../test/builders/a-turn.ts";
import { aView } from "../../../test/builders/a-view.ts";
import { aWorkload } from "../../../test/builders/a-workload.ts";
import type { Intent } from "../protocol/command.ts";
import { REPLICAS_FINALIZER } from "../model/finalizers.ts";
import type { Controller } from "../runner/controller.ts";
import { type Decision, settled } from "../protocol/decision.ts";
import { type Uid, workloadKey } from "../model/ids.ts";
import type { AnyObject } from "../model/objects.ts";
import { quotaFact } from "../observe/facts.ts";
import {
  admitOperation,
  enqueueOperation,
  queueOperation,
  reserveOperation,
} from "../protocol/operations.ts";
import { createAdmit } from "./admit.ts";

const API = workloadKey("payments", "api");

const decide = (
  objects: readonly AnyObject[],
  now = 1_000,
  controller: Controller = createAdmit(),
): Decision => controller.reconcile(API, aView(controller, objects), aLook(now));

const intents = (decision: Decision): readonly Intent[] =>
  decision.kind === "propose" ? decision.intents : [];

const kinds = (decision: Decision): readonly string[] => intents(decision).map(({ kind }) => kind);

describe("wanted indexes", () => {
  test("without a replica are given their first incarnation [BD2]", () => {
    const workload = aWorkload({ replicas: 2, templateGeneration: 4 });
    expect(intents(decide([workload]))).toEqual(
      [0, 1].map((index) => ({
        kind: "admit",
        operation: admitOperation(workload, 4, { index, incarnation: 1 }),
        workload: API,
        generation: 4,
        index,
        incarnation: 1,
      })),
    );
  });

  test("that were released are started one higher [ST3]", () => {
    const decision = decide([aWorkload(), aReplica({ stage: "released", incarnation: 3 })]);
    expect(intents(decision)).toMatchObject([{ kind: "admit", index: 0, incarnation: 4 }]);
  });

  test("that are on their way or have succeeded are left alone", () => {
    for (const stage of ["queued", "bound", "serving", "unknown", "succeeded"] as const) {
      expect(decide([aWorkload(), aReplica({ stage })])).toEqual({ kind: "settled" });
    }
  });

  test("of a wide workload are admitted in steps, so that no turn grows long", () => {
    expect(intents(decide([aWorkload({ replicas: 1000 })]))).toHaveLength(32);
  });

  test("held by the leftover of a namesake wait until it is gone [BD2]", () => {
    const leftover = aReplica({ stage: "serving", node: "a-1", workloadUid: "old" as Uid });
    const decision = decide([aWorkload(), leftover]);
    expect(intents(decision)).toMatchObject([
      { kind: "evict", replica: leftover.key, evidence: { kind: "surplus", workload: API } },
    ]);
    const rested = aReplica({ stage: "released", workloadUid: "old" as Uid });
    expect(kinds(decide([aWorkload(), rested]))).toEqual(["delete"]);
  });
});

describe("wanted indexes for which there is quota", () => {
  test("are started, quota and a place in the queue by one command [MN1]", () => {
    const workload = aWorkload({ replicas: 3, templateGeneration: 4 });
    const released = aReplica({ generation: 4, index: 1, stage: "released", incarnation: 2 });
    const indexes = [
      { index: 0, incarnation: 1 },
      { index: 1, incarnation: 3 },
      { index: 2, incarnation: 1 },
    ];
    expect(intents(decide([workload, aQuota(), released], 1_000))).toEqual([
      {
        kind: "enqueue",
        operation: enqueueOperation(workload, 4, indexes),
        workload: API,
        generation: 4,
        indexes,
      },
    ]);
  });

  test("go first, and those beyond the quota are admitted and wait for it [QT1]", () => {
    const workload = aWorkload({ replicas: 4 });
    const decision = decide([workload, aQuota({ cpuMillis: 250 })]);
    expect(intents(decision)).toMatchObject([
      { kind: "enqueue", indexes: [{ index: 0 }, { index: 1 }] },
      { kind: "admit", index: 2 },
      { kind: "admit", index: 3 },
    ]);
  });

  test("leave the quota alone that is spent on those admitted before [QT1]", () => {
    const objects = [
      aWorkload({ replicas: 3 }),
      aQuota({ cpuMillis: 250 }),
      aReplica({ index: 2 }),
    ];
    expect(intents(decide(objects))).toMatchObject([
      { kind: "enqueue", indexes: [{ index: 0 }] },
      { kind: "reserve", replica: aReplica({ index: 2 }).key },
      { kind: "admit", index: 1 },
    ]);
  });

  test("are admitted alone while a leak under their incarnation is in the way [RS1]", () => {
    const leak = aReservation(aReplica({ index: 1 }), { ownerUid: "another" as Uid });
    const decision = decide([aWorkload({ replicas: 2 }), aQuota(), leak]);
    expect(intents(decision)).toMatchObject([
      { kind: "enqueue", indexes: [{ index: 0 }] },
      { kind: "admit", index: 1 },
    ]);
  });

  test("of a very wide workload come in steps of 512 [MN3]", () => {
    const quota = aQuota({ cpuMillis: 1_000_000, memoryMiB: 1_000_000 });
    const decision = decide([aWorkload({ replicas: 2_000 }), quota]);
    const [first, ...more] = intents(decision);
    expect(first?.kind === "enqueue" && first.indexes.length).toBe(512);
    expect(more).toEqual([]);
  });
});

describe("failed indexes", () => {
  const failed = aReplica({ stage: "failed", failures: 1, incarnation: 1 });

  test("wait before their next incarnation, with a reason and a deadline [RN6]", () => {
    expect(decide([aWorkload(), failed], 5_000)).toMatchObject({
      kind: "wait",
      reason: "restart-backoff",
      deadlineMs: 6_000,
    });
  });

  test("wait longer after every failure, and say which, how often and until when [ST4]", () => {
    const workload = aWorkload({ replicas: 2 });
    const again = aReplica({ stage: "failed", failures: 4, incarnation: 9, index: 1 });
    expect(decide([workload, failed, again], 5_000)).toMatchObject({
      kind: "wait",
      deadlineMs: 6_000,
      because: {
        restarts: [
          { replica: "api.1.0", failures: 1, dueMs: 6_000 },
          { replica: "api.1.1", failures: 4, dueMs: 13_000 },
        ],
      },
    });
  });

  test("live again when the delay is over [ST3]", () => {
    const controller = createAdmit();
    decide([aWorkload(), failed], 5_000, controller);
    expect(decide([aWorkload(), failed], 5_999, controller).kind).toBe("wait");
    const decision = decide([aWorkload(), failed], 6_000, controller);
    expect(intents(decision)).toMatchObject([{ kind: "admit", incarnation: 2 }]);
  });
});

describe("admitted replicas", () => {
  test("have quota reserved for them [QT1]", () => {
    const replica = aReplica();
    const decision = decide([aWorkload(), aQuota(), replica], 1_000);
    expect(intents(decision)).toEqual([
      {
        kind: "reserve",
        operation: reserveOperation(replica),
        replica: replica.key,
        incarnation: 1,
        deadlineMs: 601_000,
      },
    ]);
  });

  test("are queued with the reservation of their own incarnation [RS2]", () => {
    const replica = aReplica({ incarnation: 2 });
    const leak = aReservation(replica, { incarnation: 1 });
    const own = aReservation(replica);
    expect(intents(decide([aWorkload(), aQuota(), replica, leak, own]))).toEqual([
      {
        kind: "transition",
        operation: queueOperation(replica),
        key: replica.key,
        incarnation: 2,
        from: "admitted",
        to: "queued",
        reservation: own.key,
      },
    ]);
  });

  test("do not take the reservation of an earlier incarnation for their own [RS1]", () => {
    const replica = aReplica({ incarnation: 2 });
    const leak = aReservation(replica, { incarnation: 1 });
    expect(kinds(decide([aWorkload(), aQuota(), replica, leak]))).toEqual(["reserve"]);
  });

  test("do not take the reservation of a namesake for their own [RS2]", () => {
    const replica = aReplica();
    const leak = aReservation(replica, { ownerUid: "another" as Uid });
    expect(kinds(decide([aWorkload(), aQuota(), replica, leak]))).toEqual(["reserve"]);
  });

  test("wait on the quota when the tenant has too little left [QT1]", () => {
    const objects = [aWorkload(), aQuota({ cpuMillis: 50 }), aReplica()];
    expect(decide(objects, 1_000)).toMatchObject({
      kind: "wait",
      reason: "quota-exhausted",
      wakes: [quotaFact("payments")],
      deadlineMs: 16_000,
    });
  });

  test("are not promised the same quota twice in one look [QT1]", () => {
    const objects = [
      aWorkload({ replicas: 3 }),
      aQuota({ cpuMillis: 250 }),
      ...[0, 1, 2].map((index) => aReplica({ index })),
    ];
    expect(intents(decide(objects))).toMatchObject([
      { kind: "reserve", replica: aReplica({ index: 0 }).key },
      { kind: "reserve", replica: aReplica({ index: 1 }).key },
    ]);
  });

  test("that wait on quota are looked at again when a failed sibling is due [RN6]", () => {
    const objects = [
      aWorkload({ replicas: 2 }),
      aQuota({ cpuMillis: 0 }),
      aReplica({ index: 0 }),
      aReplica({ index: 1, stage: "failed", failures: 1 }),
    ];
    expect(decide(objects, 1_000)).toMatchObject({ reason: "quota-exhausted", deadlineMs: 2_000 });
  });
});

describe("unwanted replicas", () => {
  test("are evicted, in index order, when the desired has shrunk [BD2]", () => {
    const objects = [
      aWorkload({ replicas: 1 }),
      aReplica({ index: 2, stage: "queued" }),
      aReplica({ index: 1, stage: "serving", node: "a-1" }),
      aReplica({ index: 0, stage: "serving", node: "a-1" }),
    ];
    expect(intents(decide(objects))).toMatchObject([
      { kind: "evict", replica: aReplica({ index: 1 }).key, incarnation: 1 },
      { kind: "evict", replica: aReplica({ index: 2 }).key, incarnation: 1 },
    ]);
  });

  test("of an earlier template generation make room for the new one [OB6]", () => {
    const workload = aWorkload({ templateGeneration: 2 });
    const old = aReplica({ generation: 1, stage: "serving", node: "a-1" });
    expect(kinds(decide([workload, old]))).toEqual(["evict", "admit"]);
  });

  test("of a workload that is gone are evicted too [BD2]", () => {
    expect(kinds(decide([aReplica({ stage: "serving", node: "a-1" })]))).toEqual(["evict"]);
  });

  test("that are at rest are deleted [OB4]", () => {
    for (const stage of ["released", "failed", "succeeded"] as const) {
      const decision = decide([aWorkload({ replicas: 0 }), aReplica({ stage })]);
      expect(intents(decision)).toMatchObject([{ kind: "delete", key: aReplica().key }]);
    }
  });

  test("that are stopping are waited for, with a deadline [RN6]", () => {
    const stopping = { reason: "surplus", sinceMs: 0 } as const;
    const replica = aReplica({ stage: "serving", node: "a-1", stopping });
    expect(decide([aWorkload({ replicas: 0 }), replica], 1_000)).toMatchObject({
      kind: "wait",
      reason: "stopping",
      deadlineMs: 16_000,
    });
  });
});

describe("a workload being deleted", () => {
  const leaving = aWorkload({
    replicas: 2,
    deletingMs: 5,
    finalizers: [REPLICAS_FINALIZER, "other"],
    revision: 7,
  });

  test("gives no index an incarnation and evicts what it has [OB3]", () => {
    const decision = decide([leaving, aReplica({ stage: "serving", node: "a-1" })]);
    expect(kinds(decision)).toEqual(["evict"]);
  });

  test("is let go when its last replica has gone, by taking off our finalizer alone [OB3]", () => {
    expect(intents(decide([leaving]))).toMatchObject([
      {
        kind: "put",
        key: API,
        desired: { kind: "Workload", spec: leaving.spec },
        finalizers: ["other"],
        expect: { revision: 7 },
      },
    ]);
  });

  test("that does not carry our finalizer is none of our business [OB3]", () => {
    const other = aWorkload({ deletingMs: 5, finalizers: ["other"] });
    expect(decide([other])).toEqual({ kind: "settled" });
  });
});

describe("which keys it looks at", () => {
  test("the workload of every replica and reservation that changes", () => {
    const controller = createAdmit();
    const replica = aReplica();
    const view = aView(controller, [replica]);
    for (const after of [aWorkload(), replica, aReservation(replica)]) {
      expect(controller.keysFor({ key: after.key, before: undefined, after }, view)).toEqual([API]);
    }
    const quota = aQuota();
    expect(controller.keysFor({ key: quota.key, before: undefined, after: quota }, view)).toEqual(
      [],
    );
  });

  test("workloads that are gone but left replicas behind, in the resync [RN5]", () => {
    const controller = createAdmit();
    const orphan = aReplica({ workload: "gone" });
    const view = aView(controller, [aWorkload(), aReplica(), orphan]);
    expect(controller.allKeys(view)).toEqual([API, workloadKey("payments", "gone")]);
  });
});

describe("a wide workload", () => {
  const wide = aWorkload({ replicas: 2_000 });
  const serving = Array.from({ length: 2_000 }, (_, index) =>
    aReplica({ index, stage: "serving", node: "a-1" }),
  );
  const lookers = () => {
    const admit = createAdmit();
    const view = aView(admit, [wide, ...serving, aQuota()]);
    return { view, look: (now: number) => admit.reconcile(wide.key, view, aLook(now)) };
  };

  test("is looked at again only after a moment, in which what happens to it is gathered [RN6]", () => {
    const { view, look } = lookers();
    expect(look(1_000)).toEqual(settled);
    const gone = { ...serving[7]!, status: { ...serving[7]!.status, stage: "released" as const } };
    const after = { ...gone, status: { ...gone.status, node: undefined } };
    view.objects.fold({ key: after.key, before: serving[7], after });
    expect(look(1_010)).toMatchObject({ kind: "wait", reason: "gathering", deadlineMs: 1_050 });
    expect(look(1_050)).toMatchObject({ kind: "propose" });
  });

  test("that is given many incarnations at once is not held up between them [MN1]", () => {
    const admit = createAdmit();
    const quota = aQuota({ cpuMillis: 10_000_000, memoryMiB: 10_000_000, deviceMillis: 0 });
    const view = aView(admit, [wide, quota]);
    for (const now of [1_000, 1_001]) {
      expect(admit.reconcile(wide.key, view, aLook(now))).toMatchObject({ kind: "propose" });
    }
  });
});
