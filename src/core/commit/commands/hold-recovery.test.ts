import { describe, expect, test } from "vitest";
import {
  aRecoveringPlane,
  RECOVERY,
  type RecoveringPlane,
} from "../../../../test/builders/a-recovering-plane.ts";
import { putting, indexKey, WORKLOAD } from "../../../../test/builders/a-plane.ts";
import { aWorkloadSpec } from "../../../../test/builders/a-workload.ts";
import { codeOf } from "../../../../test/builders/code-of.ts";
import { type ObjectKey, workloadKey } from "../../model/ids.ts";
import { capacityClasses } from "../../rules/capacity-classes.ts";
import { NOTHING } from "../../model/amounts.ts";

const THIEF = workloadKey("payments", "thief");
const thiefKey = "Replica/payments/thief.1.0" as ObjectKey;

/** Somebody else's replica is queued that asks for so much. */
function thief(plane: RecoveringPlane, cpuMillis: number): void {
  const spec = aWorkloadSpec({ cpuMillis, memoryMiB: 10 });
  plane.must(putting(THIEF, { kind: "Workload", spec }));
  const indexes = [{ index: 0, incarnation: 1 }];
  plane.must({ kind: "enqueue", workload: THIEF, generation: 1, indexes }, { role: "admit" });
}

const bindThief = (plane: RecoveringPlane, node: string): string =>
  codeOf(plane.send({ kind: "bind", replica: thiefKey, incarnation: 1, node, deviceIds: [] }));

describe("room kept for recovery", () => {
  test("is kept where the replicas could be bound: in the regions, on open nodes, where there is room [RV2]", () => {
    const plane = aRecoveringPlane().up();
    expect(codeOf(plane.hold(["home-1"]))).toBe("location-not-allowed");
    plane.cordon("away-1");
    expect(codeOf(plane.hold(["away-1"]))).toBe("node-not-schedulable");
    expect(codeOf(plane.hold(["nowhere"]))).toBe("no-such-object");
    plane.resize("away-2", 900);
    expect(codeOf(plane.hold(["away-2", "away-2"]))).toBe("node-full");
    expect(plane.spares).toEqual([]);
    expect(codeOf(plane.hold(["away-2", "away-3"]))).toBe("committed");
    expect(plane.spareNodes).toEqual(["away-2", "away-3"]);
    expect(plane.recovery.holds).toBe(2);
  });

  test("minds the neighbours it would have, those among what is kept included [RV2] [BD12]", () => {
    const plane = aRecoveringPlane({ maxPerNode: 2 }).up();
    plane.putDesired({
      replicas: 2,
      cpuMillis: 100,
      memoryMiB: 10,
      maxPerNode: 1,
      recovery: RECOVERY,
    });
    expect(codeOf(plane.hold(["away-1", "away-1"]))).toBe("too-many-on-node");
    expect(codeOf(plane.hold(["away-1", "away-2"]))).toBe("committed");
  });

  test("is in no place where its spread would reject a bind [RV2] [PR1]", () => {
    const spread = [{ by: "zone", maxSkew: 1 }];
    const plane = aRecoveringPlane({ spread }).up();
    // Open, and full: us-b must not run ahead of it.
    plane.resize("away-1", 400);
    expect(plane.hold(["away-2", "away-3"])).toMatchObject({
      code: "too-uneven",
      field: "Node//away-3 zone",
      actual: 2,
    });
    expect(codeOf(plane.hold(["away-2"]))).toBe("committed");
    // A place that takes nothing at all is waited for by nobody.
    plane.cordon("away-1");
    expect(codeOf(plane.hold(["away-3"]))).toBe("committed");
  });

  test("counts what would be left, and not what would be lost [RV2]", () => {
    const spread = [{ by: "node", maxSkew: 1 }];
    const plane = aRecoveringPlane({ spread }).up();
    // Both at home are on one node; of the three away each may have one.
    expect(codeOf(plane.hold(["away-1", "away-1"]))).toBe("too-uneven");
    expect(codeOf(plane.hold(["away-1", "away-2"]))).toBe("committed");
    const soft = aRecoveringPlane({ spread: [{ by: "node", maxSkew: 1, soft: true }] }).up();
    expect(codeOf(soft.hold(["away-1", "away-1"]))).toBe("committed");
  });

  test("breaks no reservation of others, and preempts no replica [RV2] [PE6]", () => {
    const plane = aRecoveringPlane({ recovery: { ...RECOVERY, replicas: 1 } }).up();
    expect(codeOf(plane.hold(["away-1"]))).toBe("committed");
    thief(plane, 600);
    expect(bindThief(plane, "away-1")).toBe("node-full");
    expect(bindThief(plane, "away-2")).toBe("committed");
    plane.putDesired({ replicas: 2, cpuMillis: 500, memoryMiB: 10, recovery: RECOVERY });
    expect(codeOf(plane.hold(["away-2"]))).toBe("node-full");
  });

  test("is never more than is asked for and does not run there already [RV3]", () => {
    const plane = aRecoveringPlane().up();
    expect(plane.hold(["away-1", "away-2", "away-3"])).toMatchObject({
      code: "recovery-reserve",
      expected: "at most 2 held",
      actual: 3,
    });
    plane.putDesired({ replicas: 3, cpuMillis: 500, memoryMiB: 10, recovery: RECOVERY });
    plane.serving({ index: 2, node: "away-1" });
    expect(codeOf(plane.hold(["away-2", "away-3"]))).toBe("recovery-reserve");
    expect(codeOf(plane.hold(["away-2"]))).toBe("committed");
  });

  test("is kept only for replicas that hold quota, so that no reserve is useless [RV3] [RV9]", () => {
    const plane = aRecoveringPlane();
    expect(codeOf(plane.hold(["away-1"]))).toBe("recovery-reserve");
    plane.queued(0);
    expect(codeOf(plane.hold(["away-1"]))).toBe("committed");
  });

  test("is given back when it is of no use, and not before [RV3] [RV5]", () => {
    const plane = aRecoveringPlane().up();
    plane.hold(["away-1", "away-2"]);
    const [first, second] = plane.spares.map(({ key }) => key);
    expect(codeOf(plane.hold([], [first!]))).toBe("recovery-reserve");
    plane.cordon("away-1");
    expect(codeOf(plane.hold(["away-3"], [first!]))).toBe("committed");
    expect(plane.spareNodes).toEqual(["away-2", "away-3"]);
    plane.putDesired({ replicas: 2, cpuMillis: 500, memoryMiB: 10 });
    const rest = plane.spares.map(({ key }) => key);
    expect(codeOf(plane.hold([], [...rest, second!]))).toBe("bad-object");
    expect(codeOf(plane.hold([], rest))).toBe("committed");
    expect(plane.spares).toEqual([]);
  });

  test("is kept by its own controller alone, on what it has seen [RV2] [RP1]", () => {
    const plane = aRecoveringPlane().up();
    const rooms = [{ node: "away-1", deviceIds: [] }];
    const ask = { kind: "hold-recovery", workload: WORKLOAD, holds: 0, rooms, drop: [] } as const;
    expect(codeOf(plane.send(ask, { role: "place" }))).toBe("not-owner");
    expect(codeOf(plane.send({ ...ask, rooms: [] }))).toBe("bad-object");
    expect(codeOf(plane.send({ ...ask, workload: THIEF }))).toBe("no-such-object");
    expect(codeOf(plane.send(ask))).toBe("committed");
    expect(codeOf(plane.send(ask))).toBe("recovery-reserve");
    expect(codeOf(plane.hold([], ["Reservation/payments/ghost" as ObjectKey]))).toBe(
      "reservation-not-held",
    );
  });

  test("goes with its node, with the node's fencing, and with its workload [RV5]", () => {
    const plane = aRecoveringPlane().up();
    plane.hold(["away-1", "away-2"]);
    plane.vouchedGone("away-1");
    expect(plane.spareNodes).toEqual(["away-2"]);
    plane.must({ kind: "delete", key: "Node//away-2" as ObjectKey, expect: {} });
    expect(plane.spares).toEqual([]);
    plane.hold(["away-3"]);
    const [held] = plane.spares;
    plane.plant({ ...plane.api(), meta: { ...plane.api().meta, finalizers: [] } });
    plane.must({ kind: "delete", key: WORKLOAD, expect: {} });
    expect(plane.get(held!.key)).toBeUndefined();
  });

  test("is no leak while its workload is there [RV5] [RS3]", () => {
    const plane = aRecoveringPlane().up();
    plane.hold(["away-1"]);
    const { key, spec } = plane.spares[0]!;
    for (const kind of ["owner-gone", "hold-over"] as const) {
      const evidence = { kind, owner: spec.owner };
      const release = { kind: "unreserve", key, incarnation: spec.incarnation, evidence } as const;
      expect(codeOf(plane.send(release))).toBe("reservation-in-use");
    }
  });

  test("is charged to no quota and shown as kept for recovery [RV9] [QT9]", () => {
    const plane = aRecoveringPlane().up();
    const before = plane.account();
    plane.hold(["away-1", "away-2"]);
    expect(plane.account()).toEqual(before);
    const row = () => capacityClasses(plane.ledger.objects).regions.get("us")!.hard;
    expect(row()).toMatchObject({
      capacity: { cpuMillis: 3_000 },
      recovery: { cpuMillis: 1_000, memoryMiB: 20 },
      free: { cpuMillis: 2_000 },
    });
    // What is not there is not kept.
    plane.resize("away-1", 300);
    expect(row()).toMatchObject({ recovery: { cpuMillis: 800 }, overcommitted: NOTHING });
  });
});

describe("a replica of the workload", () => {
  test("takes what is kept only once something was lost, and ends the hold by its bind [RV4]", () => {
    const plane = aRecoveringPlane().up();
    plane.hold(["away-1", "away-1"]);
    const [first, second] = plane.spares.map(({ key }) => key);
    plane.putDesired({ replicas: 3, cpuMillis: 500, memoryMiB: 10, recovery: RECOVERY });
    plane.queued(2);
    // A plain scale-up must not eat the reserve.
    expect(codeOf(plane.bindSpare(2, "away-1", undefined, 1))).toBe("node-full");
    expect(codeOf(plane.bindSpare(2, "away-1", first, 1))).toBe("reservation-not-held");
    plane.homeLost();
    plane.queued(0, 2);
    expect(codeOf(plane.bindSpare(0, "away-1", undefined))).toBe("node-full");
    expect(codeOf(plane.bindSpare(0, "away-2", first))).toBe("reservation-not-held");
    expect(codeOf(plane.bindSpare(0, "away-1", first))).toBe("committed");
    expect(plane.spares.map(({ key }) => key)).toEqual([second]);
    plane.queued(1, 2);
    expect(codeOf(plane.bindSpare(1, "away-1", first))).toBe("reservation-not-held");
    expect(codeOf(plane.bindSpare(1, "away-1", second))).toBe("committed");
    expect(plane.spares).toEqual([]);
  });

  test("takes it together with others of it in one commit [RV4] [MN2]", () => {
    const plane = aRecoveringPlane().up();
    plane.hold(["away-1", "away-1"]);
    plane.homeLost();
    for (const index of [0, 1]) plane.queued(index, 2);
    const bindings = plane.spares.map(({ key: spare }, index) => ({
      replica: indexKey(index),
      incarnation: 2,
      node: "away-1",
      deviceIds: [],
      spare,
    }));
    const twice = bindings.map((binding) => ({ ...binding, spare: bindings[0]!.spare }));
    expect(codeOf(plane.send({ kind: "bind-all", bindings: twice }))).toBe("node-full");
    expect(codeOf(plane.send({ kind: "bind-all", bindings }))).toBe("committed");
    expect(plane.spares).toEqual([]);
  });

  test("leaves what is kept for another workload alone, also while it recovers itself [RV4]", () => {
    const plane = aRecoveringPlane().up();
    plane.hold(["away-1"]);
    const [spare] = plane.spares.map(({ key }) => key);
    thief(plane, 600);
    const bind = {
      kind: "bind",
      replica: thiefKey,
      incarnation: 1,
      node: "away-1",
      deviceIds: [],
    } as const;
    expect(codeOf(plane.send({ ...bind, spare: spare! }))).toBe("reservation-not-held");
  });
});
