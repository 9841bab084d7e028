import { describe, expect, test } from "vitest";
import { aPlane, type Plane, indexKey } from "../../../test/builders/a-plane.ts";
import { InvariantBroken } from "../model/assert.ts";
import { Ledger } from "./ledger.ts";
import { CONTROLLERS } from "../protocol/operation-space.ts";
import { restoreLedger, takeSnapshot } from "./snapshot.ts";

/**
 * A plane with something of everything: replicas that serve and wait, devices, quota, a second
 * epoch.
 */
function aBusyPlane(): Plane {
  const plane = aPlane({ node: { deviceIds: ["g0", "g1"] }, desired: { replicas: 3, devices: 1 } });
  plane.bound({ index: 0, deviceIds: ["g1"] });
  plane.nowMs = 9_000;
  plane.lead(2);
  plane.queued(1);
  return plane;
}

describe("a snapshot", () => {
  test("gives the ledger it was taken of: objects, sums, operations and leadership [EP5]", () => {
    const plane = aBusyPlane();
    const restored = restoreLedger(takeSnapshot(plane.ledger));
    expect(restored).toEqual(plane.ledger);
    expect(restored.leadSinceMs).toBe(9_000);
    expect(restored.objects.useOf("a-1").devices.get("g1")?.owners).toEqual([indexKey(0)]);
  });

  test("and the commits after it give the same ledger as the whole log [EP5]", () => {
    const plane = aBusyPlane();
    const snapshot = takeSnapshot(plane.ledger);
    plane.bound({ index: 2, deviceIds: ["g0"] });
    const restored = restoreLedger(snapshot);
    for (const commit of plane.commits) {
      if (commit.revision > snapshot.revision) restored.fold(commit);
    }
    const whole = new Ledger();
    for (const commit of plane.commits) whole.fold(commit);
    expect(restored).toEqual(whole);
  });

  test("remembers operations, so that an effect is not had twice across it [OP1]", () => {
    const plane = aPlane();
    plane.queued();
    const bind = {
      kind: "bind",
      replica: indexKey(),
      incarnation: 1,
      node: "a-1",
      deviceIds: [],
    } as const;
    plane.must(bind, { operation: "bind-it" });
    const { operations } = takeSnapshot(plane.ledger);
    const known = { revision: plane.ledger.revision, command: "bind" };
    expect(operations).toContainEqual(["bind-it", known]);
  });

  test("of an earlier version, which does not say whose they are: they are the controllers' [ID6]", () => {
    const plane = aPlane();
    plane.serving();
    const of = takeSnapshot(plane.ledger);
    const operations = of.operations.map(([id, { revision, command }]) => {
      return [id, { revision, command }] as const;
    });
    const { operations: restored } = restoreLedger({ ...of, operations });
    const bind = operations.find(([, { command }]) => command === "bind")!;
    const report = operations.find(([, { command }]) => command === "report")!;
    expect(restored.of(CONTROLLERS, bind[0])).toEqual(bind[1]);
    // No controller reports: one that stands there may have been put there to be in a controller's
    // way.
    expect(restored.ofAnybody(report[0])).toBeUndefined();
  });

  test("is not poured into a ledger that knows something already [EP5]", () => {
    const plane = aPlane();
    const snapshot = takeSnapshot(plane.ledger);
    expect(() => plane.ledger.restore(snapshot)).toThrow(InvariantBroken);
  });
});
