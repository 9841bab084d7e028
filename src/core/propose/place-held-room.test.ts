import { describe, expect, test } from "vitest";
import { aNode } from "../../../test/builders/a-node.ts";
import { aQuota } from "../../../test/builders/a-quota.ts";
import { aRefusal } from "../../../test/builders/a-refusal.ts";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { aReservation } from "../../../test/builders/a-reservation.ts";
import { aLook } from "../../../test/builders/a-turn.ts";
import { aView } from "../../../test/builders/a-view.ts";
import { amounts } from "../../../test/builders/amounts.ts";
import type { Controller } from "../runner/controller.ts";
import type { Decision, Look } from "../protocol/decision.ts";
import { type ObjectKey, workloadKey } from "../model/ids.ts";
import type { AnyObject, Quota, Replica, Reservation } from "../model/objects.ts";
import { quotaFact, roomFact } from "../observe/facts.ts";
import type { View } from "../observe/view.ts";
import { regionQuota as regionRule } from "../rules/obstacles/region-quota.ts";
import { createPlace } from "./place.ts";
import { STARVING_MS } from "./queue/kept-nodes.ts";

const API = workloadKey("payments", "api");
const WEB = workloadKey("payments", "web");

const queued = (of: Parameters<typeof aReplica>[0] = {}): Replica =>
  aReplica({ stage: "queued", cpuMillis: 600, ...of });

const heldFor = (owner: Replica, node = "a-1"): Reservation =>
  aReservation(owner, { for: "preemptor", room: { node, deviceIds: [], epoch: 1 } });

/** Who was asked to leave the node and is still there. */
const victim = (node = "a-1"): Replica =>
  aReplica({
    workload: `on-${node}`,
    stage: "serving",
    node,
    cpuMillis: 600,
    stopping: { reason: "preempted", sinceMs: 0 },
  });

class Harness {
  readonly place: Controller = createPlace();
  readonly view: View;

  constructor(...objects: readonly AnyObject[]) {
    this.view = aView(this.place, objects);
    for (const after of objects)
      this.place.follow?.({ key: after.key, before: undefined, after }, this.view);
  }

  appears(after: AnyObject): void {
    const change = { key: after.key, before: undefined, after };
    this.view.objects.fold(change);
    this.place.follow?.(change, this.view);
  }

  look(key: ObjectKey, now: number, of: Partial<Look> = {}): Decision {
    return this.place.reconcile(key, this.view, aLook(now, of));
  }
}

/** What the tenant may use in the region where the room is. */
const regionQuota = (cpuMillis: number): Quota => {
  const quota = aQuota();
  return { ...quota, spec: { ...quota.spec, regions: { eu: amounts({ cpuMillis }) } } };
};

describe("a replica for which room is held", () => {
  const full = aRefusal("node-full", { field: "Node//a-1 cpuMillis" });

  test("waits for those who make it, and is woken when they leave [RN6]", () => {
    const harness = new Harness(aNode(), queued(), heldFor(queued()), victim());
    const decision = harness.look(API, 1_000);
    expect(decision).toMatchObject({ kind: "wait", reason: "room-held", deadlineMs: 16_000 });
    expect(decision.kind === "wait" && decision.wakes).toContain(roomFact("a-1"));
  });

  test("does not say that it waits for them when they have left and the bind was refused [RN4] [INV18]", () => {
    const harness = new Harness(aNode(), queued(), heldFor(queued()));
    expect(harness.look(API, 1_000, { feedback: [full] })).toMatchObject({
      kind: "wait",
      reason: "refused-lately",
      deadlineMs: 2_000,
    });
  });

  test("nor when it was asked for, for another, before it was held [INV18]", () => {
    const harness = new Harness(aNode(), queued(), queued({ workload: "web" }));
    expect(harness.look(WEB, 0).kind).toBe("propose");
    harness.appears(heldFor(queued()));
    expect(harness.look(API, 0)).toMatchObject({
      kind: "wait",
      reason: "room-promised",
      deadlineMs: 1_000,
    });
    expect(harness.look(API, 3_000).kind).toBe("propose");
  });

  test("is woken by quota when that alone keeps it from the room, and says so [QT7] [INV18]", () => {
    const harness = new Harness(regionQuota(500), aNode(), queued(), heldFor(queued()));
    const decision = harness.look(API, 1_000);
    expect(decision).toMatchObject({
      reason: "room-held",
      because: {
        rejected: { [regionRule.name]: { example: expect.stringContaining("regions.eu") } },
      },
    });
    expect(decision.kind === "wait" && decision.wakes).toContain(quotaFact("payments"));
  });

  test("takes it although the node is kept for another who waited too long", () => {
    const batch = aReplica({ workload: "old", type: "batch", stage: "running", node: "a-1" });
    const harness = new Harness(aNode(), batch, queued({ workload: "web", cpuMillis: 950 }));
    harness.look(WEB, 0);
    expect(harness.look(WEB, STARVING_MS)).toMatchObject({
      because: { summary: expect.stringContaining("a-1 is reserved for it") },
    });
    harness.appears(queued());
    expect(harness.look(API, STARVING_MS)).toMatchObject({ kind: "wait", reason: "room-kept" });
    harness.appears(heldFor(queued()));
    expect(harness.look(API, STARVING_MS)).toMatchObject({ because: { chosen: "a-1" } });
  });

  test("takes it although the one before it still waits, however often binds were refused [RN4]", () => {
    const [first, second] = [queued({ index: 0 }), queued({ index: 1 })];
    const harness = new Harness(
      aNode({ name: "a-1" }),
      aNode({ name: "b-1" }),
      first,
      second,
      victim("a-1"),
      heldFor(first, "a-1"),
      heldFor(second, "b-1"),
    );
    expect(harness.look(API, 0, { failures: 9 })).toMatchObject({
      intents: [{ kind: "bind", replica: second.key, node: "b-1" }],
    });
  });
});
