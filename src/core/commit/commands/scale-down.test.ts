import { describe, expect, test } from "vitest";
import { putting, WORKLOAD } from "../../../../test/builders/a-plane.ts";
import { aPooledPlane, type PooledPlane } from "../../../../test/builders/a-pooled-plane.ts";
import { aReservation } from "../../../../test/builders/a-reservation.ts";
import { codeOf } from "../../../../test/builders/code-of.ts";
import { nodeKey } from "../../model/ids.ts";
import { restoreLedger, takeSnapshot } from "../snapshot.ts";

/** A node of the pool whose one replica has just left. */
function aLeftNode(of: Parameters<typeof aPooledPlane>[0] = {}): PooledPlane {
  const plane = aPooledPlane(of);
  plane.provisioned();
  plane.arrived();
  const { key } = plane.replica(1);
  plane.must({ kind: "bind", replica: key, incarnation: 1, node: "burst-1", deviceIds: [] });
  plane.nowMs += 50_000;
  plane.putDesired({ cpuMillis: 600, memoryMiB: 10, replicas: 1 });
  plane.must({
    kind: "report",
    replica: key,
    incarnation: 1,
    node: "burst-1",
    session: 1,
    stage: "released",
  });
  return plane;
}

describe("a node of a pool is given back", () => {
  test("once nothing was on it for as long as the pool says [PN6]", () => {
    const plane = aLeftNode();
    plane.nowMs += 19_999;
    expect(plane.scaleDown()).toMatchObject({ code: "node-not-idle", actual: 19_999 });
    plane.nowMs += 1;
    expect(codeOf(plane.scaleDown())).toBe("committed");
    expect(plane.node("burst-1").spec.cordons).toMatchObject([{ holder: "pool/burst" }]);
    expect(plane.known().scalingDown).toEqual({ atMs: plane.nowMs, epoch: 1 });
    expect(codeOf(plane.scaleDown())).toBe("node-not-idle");
  });

  test("counted from its arrival, or from the beginning of the leadership [PN6] [PN8]", () => {
    const fresh = aPooledPlane({}, { waiting: 1 });
    fresh.provisioned();
    fresh.nowMs += 25_000;
    fresh.arrived();
    fresh.putDesired({ cpuMillis: 600, memoryMiB: 10, replicas: 1 });
    fresh.must({
      kind: "evict",
      replica: fresh.replica(1).key,
      incarnation: 1,
      evidence: { kind: "surplus", workload: WORKLOAD },
    });
    fresh.nowMs += 19_999;
    expect(codeOf(fresh.scaleDown())).toBe("node-not-idle");
    fresh.nowMs += 1;
    expect(codeOf(fresh.scaleDown())).toBe("committed");
    const led = aLeftNode();
    led.nowMs += 60_000;
    led.lead(2);
    led.nowMs += 19_999;
    expect(codeOf(led.scaleDown())).toBe("node-not-idle");
    led.nowMs += 1;
    expect(codeOf(led.scaleDown())).toBe("committed");
  });

  test("and when that was, a snapshot knows, too [PN6]", () => {
    const plane = aLeftNode();
    const restored = restoreLedger(takeSnapshot(plane.ledger));
    expect(restored.poolUse.lastMs("burst-1")).toBe(plane.nowMs);
  });

  test("not while something is bound there, or room of it is held [PN6]", () => {
    const busy = aPooledPlane();
    busy.provisioned();
    busy.arrived();
    const { key } = busy.replica(1);
    busy.must({ kind: "bind", replica: key, incarnation: 1, node: "burst-1", deviceIds: [] });
    busy.nowMs += 60_000;
    expect(busy.scaleDown()).toMatchObject({ code: "node-not-idle", actual: "1 replica" });
    const held = aLeftNode();
    held.plant(
      aReservation(held.replica(0), {
        for: "preemptor",
        room: { node: "burst-1", deviceIds: [], epoch: 1 },
      }),
    );
    held.nowMs += 60_000;
    expect(held.scaleDown()).toMatchObject({
      code: "node-not-idle",
      actual: "room reserved for 1",
    });
  });

  test("not while a replica waits that fits there [PN6]", () => {
    const plane = aLeftNode();
    plane.nowMs += 60_000;
    plane.putDesired({ cpuMillis: 600, memoryMiB: 10, replicas: 2 });
    plane.queued(1, 2);
    expect(plane.scaleDown()).toMatchObject({ actual: `${WORKLOAD} fits there` });
  });

  test("by its controller alone, and only one of a pool that scales down [PN6]", () => {
    const plane = aLeftNode();
    plane.nowMs += 60_000;
    const scaleDown = { kind: "scale-down", node: "burst-1" } as const;
    expect(codeOf(plane.send(scaleDown, { role: "user" }))).toBe("not-owner");
    expect(codeOf(plane.scaleDown("a-1"))).toBe("node-not-idle");
    expect(codeOf(plane.scaleDown("ghost"))).toBe("no-such-object");
    const { idleAfterMs: _, ...keeps } = plane.held.spec;
    plane.must(putting(plane.held.key, { kind: "NodePool", spec: keeps }));
    expect(codeOf(plane.scaleDown())).toBe("node-not-idle");
  });

  test("and goes when its machine is gone, with its lease and never with something on it [PN6]", () => {
    const plane = aLeftNode();
    expect(codeOf(plane.say("gone"))).toBe("provision-told");
    plane.nowMs += 20_000;
    plane.scaleDown();
    expect(codeOf(plane.say({ failed: "it does not stop" }))).toBe("committed");
    expect(plane.known().failed).toBe("it does not stop");
    // Nobody waits for a pool because of a machine that was not to be had back.
    expect(plane.held.status.failures).toBeUndefined();
    expect(codeOf(plane.say("gone"))).toBe("committed");
    expect(plane.get(nodeKey("burst-1"))).toBeUndefined();
    expect(plane.ledger.objects.lease("Lease//burst-1" as never)).toBeUndefined();
    expect(plane.ledger.poolUse.all()).toEqual([]);
  });
});
