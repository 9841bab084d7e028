import { describe, expect, test } from "vitest";
import { aNode } from "../../../test/builders/a-node.ts";
import { aQuota } from "../../../test/builders/a-quota.ts";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { aReservation } from "../../../test/builders/a-reservation.ts";
import { workloadKey } from "../model/ids.ts";
import type { AnyObject, Replica } from "../model/objects.ts";
import { ObjectIndex } from "./object-index.ts";

const put = (index: ObjectIndex, ...objects: readonly AnyObject[]): void => {
  for (const after of objects) index.fold({ key: after.key, before: undefined, after });
};
const drop = (index: ObjectIndex, object: AnyObject): AnyObject | undefined =>
  index.fold({ key: object.key, before: object, after: undefined });

const bound = (of: Parameters<typeof aReplica>[0] = {}): Replica =>
  aReplica({ stage: "bound", node: "a-1", ...of });

describe("finding objects", () => {
  test("an object is found under its key and among its kind until it is removed", () => {
    const index = new ObjectIndex();
    put(index, aNode(), aReplica());
    expect(index.get(aNode().key)).toEqual(aNode());
    expect([...index.all("Node").keys()]).toEqual([aNode().key]);
    drop(index, aNode());
    expect(index.get(aNode().key)).toBeUndefined();
    expect(index.all("Node").size).toBe(0);
  });

  test("replicas are found by workload and by the node they hold", () => {
    const index = new ObjectIndex();
    put(
      index,
      bound({ index: 0 }),
      aReplica({ index: 1 }),
      bound({ workload: "web", node: "b-1" }),
    );
    const api = workloadKey("payments", "api");
    expect([...index.replicasOf(api).values()].map(({ spec }) => spec.index)).toEqual([0, 1]);
    expect([...index.replicasOn("a-1").keys()]).toEqual([bound({ index: 0 }).key]);
    expect(index.replicasOn("c-1").size).toBe(0);
  });

  test("a replica that moves is found on its new node only", () => {
    const index = new ObjectIndex();
    put(index, bound({ node: "a-1" }), bound({ node: "b-1", incarnation: 2 }));
    expect(index.replicasOn("a-1").size).toBe(0);
    expect(index.replicasOn("b-1").size).toBe(1);
  });

  test("reservations are found by the replica they are held for", () => {
    const index = new ObjectIndex();
    const first = aReservation(aReplica());
    const second = aReservation(aReplica({ incarnation: 2 }));
    put(index, first, second);
    expect(index.reservationsOf(aReplica().key).map(({ key }) => key)).toEqual([
      first.key,
      second.key,
    ]);
    drop(index, first);
    expect(index.reservationsOf(aReplica().key).map(({ key }) => key)).toEqual([second.key]);
  });

  test("removing what was never there changes nothing", () => {
    const index = new ObjectIndex();
    put(index, aQuota());
    drop(index, bound());
    drop(index, aReservation(aReplica()));
    expect(index.useOf("a-1").replicas).toBe(0);
    expect(index.accountOf("payments").free.cpuMillis).toBe(1000);
  });
});

describe("what a node's replicas take", () => {
  test("is the sum of what they ask, and nothing once they are gone [BD4]", () => {
    const index = new ObjectIndex();
    const first = bound({ index: 0, cpuMillis: 300, memoryMiB: 10 });
    const second = bound({ index: 1, cpuMillis: 200, memoryMiB: 20 });
    put(index, first, second);
    expect(index.useOf("a-1")).toMatchObject({ cpuMillis: 500, memoryMiB: 30, replicas: 2 });
    put(index, aReplica({ index: 0, cpuMillis: 300, memoryMiB: 10, stage: "released" }));
    drop(index, second);
    expect(index.useOf("a-1")).toMatchObject({ cpuMillis: 0, memoryMiB: 0, replicas: 0 });
  });

  test("does not change when a replica reports its progress [BD4]", () => {
    const index = new ObjectIndex();
    put(index, bound(), bound({ stage: "starting" }), bound({ stage: "unknown" }));
    expect(index.useOf("a-1")).toMatchObject({ cpuMillis: 100, replicas: 1 });
  });

  test("is counted once for a replica that was folded twice [BD4]", () => {
    const index = new ObjectIndex();
    put(index, bound(), bound());
    expect(index.useOf("a-1")).toMatchObject({ cpuMillis: 100, replicas: 1 });
  });

  test("follows a replica into its next incarnation, although the steps between were missed [BD4]", () => {
    const index = new ObjectIndex();
    put(index, bound({ deviceIds: ["g0"], devices: 1 }));
    put(index, bound({ deviceIds: ["g1"], devices: 1, incarnation: 2 }));
    expect(index.useOf("a-1")).toMatchObject({ cpuMillis: 100, deviceMillis: 1000, replicas: 1 });
    expect([...index.useOf("a-1").devices.keys()]).toEqual(["g1"]);
  });

  test("includes the devices, each with its owner [BD5]", () => {
    const index = new ObjectIndex();
    const owner = bound({ deviceIds: ["g0", "g1"], devices: 2 });
    put(index, owner);
    const whole = { usedMillis: 1000, owners: [owner.key] };
    expect([...index.useOf("a-1").devices]).toEqual([
      ["g0", whole],
      ["g1", whole],
    ]);
    drop(index, owner);
    expect(index.useOf("a-1").devices.size).toBe(0);
  });

  test("keeps a device with its new owner when the old one is heard of late [BD5]", () => {
    const index = new ObjectIndex();
    const last = bound({ index: 0, deviceIds: ["g0"], devices: 1 });
    const next = bound({ index: 1, deviceIds: ["g0"], devices: 1 });
    put(index, last, next);
    drop(index, last);
    expect(index.useOf("a-1").devices.get("g0")).toEqual({
      usedMillis: 1000,
      owners: [next.key],
    });
  });
});

describe("what a tenant has", () => {
  test("moves from free to reserved to committed and back [QT2]", () => {
    const index = new ObjectIndex();
    const { free, reserved, committed } = index.accountOf("payments");
    const reservation = aReservation(aReplica());
    put(index, aQuota({ cpuMillis: 500 }), reservation);
    expect([free.cpuMillis, reserved.cpuMillis, committed.cpuMillis]).toEqual([400, 100, 0]);
    drop(index, reservation);
    put(index, bound());
    expect([free.cpuMillis, reserved.cpuMillis, committed.cpuMillis]).toEqual([400, 0, 100]);
    drop(index, bound());
    expect([free.cpuMillis, reserved.cpuMillis, committed.cpuMillis]).toEqual([500, 0, 0]);
  });

  test("is what its quota says, also after the quota changed or went [QT2]", () => {
    const index = new ObjectIndex();
    put(index, aQuota({ cpuMillis: 500 }), bound(), aQuota({ cpuMillis: 300 }));
    expect(index.accountOf("payments")).toMatchObject({
      limit: { cpuMillis: 300 },
      free: { cpuMillis: 200 },
    });
    drop(index, aQuota());
    expect(index.accountOf("payments").limit.cpuMillis).toBe(0);
  });

  test("is another tenant's business nowhere [QT2]", () => {
    const index = new ObjectIndex();
    put(index, aQuota(), aQuota({}, "search"), bound({ tenant: "search" }));
    expect(index.accountOf("payments").committed.cpuMillis).toBe(0);
    expect(index.accountOf("search").committed.cpuMillis).toBe(100);
    expect([...index.tenantsWithAccount()]).toEqual(["payments", "search"]);
  });
});
