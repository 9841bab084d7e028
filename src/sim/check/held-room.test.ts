import { describe, expect, test } from "vitest";
import { CheckerHarness } from "../../../test/builders/check/checker-harness.ts";
import {
  amounts,
  aNode,
  aReplica,
  aReservation,
  aTemplate,
  anAsk,
  bound,
  withStatus,
} from "../../../test/builders/check/fixtures.ts";
import { createHeldRoomChecker } from "./held-room.ts";
import type { Replica, Reservation } from "../../core/model/objects.ts";

const half = aTemplate({ ask: anAsk({ amounts: amounts({ cpuMillis: 500 }) }) });
const of = (index: number): Replica => aReplica({ spec: { index, template: half } });
const owner = withStatus(of(0), { stage: "queued" });
const hold = (): Reservation =>
  aReservation(owner, {
    name: "api.1.0.1.room",
    deadlineMs: 60_000,
    for: "preemptor",
    room: { node: "node-1", deviceIds: [], epoch: 1 },
  });

/** node-1 has two halves: one is taken, the other is held for `owner`. */
function aHarness(): CheckerHarness {
  const harness = new CheckerHarness(createHeldRoomChecker());
  harness.commit({ put: [aNode(), owner, bound(of(1))] });
  harness.commit({ command: "preempt", role: "preempt", put: [hold()] });
  return harness;
}

describe("held room", () => {
  test("that its owner takes in the commit that ends the hold is as it should be [INV40]", () => {
    const harness = aHarness();
    harness.commit({ command: "bind", role: "place", put: [bound(owner)], remove: [hold().key] });
    expect(harness.found).toEqual([]);
  });

  test("that another replica is bound in is stolen [INV40]", () => {
    const harness = aHarness();
    harness.commit({ command: "bind", role: "place", put: [bound(of(2))] });
    expect(harness.found).toEqual([
      "INV40 Replica/payments/api.1.2 was bound to node-1, in room held for Replica/payments/api.1.0.",
    ]);
  });

  test("leaves alone who fits beside it [INV40]", () => {
    const harness = new CheckerHarness(createHeldRoomChecker());
    harness.commit({ put: [aNode(), owner] });
    harness.commit({ command: "preempt", role: "preempt", put: [hold()] });
    harness.commit({ command: "bind", role: "place", put: [bound(of(2))] });
    expect(harness.found).toEqual([]);
  });

  test("that outlives the queueing of its owner has no owner [INV40]", () => {
    const harness = aHarness();
    harness.commit({ command: "bind", role: "place", put: [bound(owner, "node-2")] });
    expect(harness.found.join()).toContain("which is bound in incarnation 1");
  });

  test("on a node that is fenced or gone is of no use [INV40]", () => {
    for (const deed of [
      { put: [aNode({ status: { health: "fenced" } })] },
      { remove: [aNode().key] },
    ]) {
      const harness = aHarness();
      harness.commit(deed);
      expect(harness.found.join()).toMatch(/holds room on node-1, which is (fenced|gone)/);
    }
  });

  test("is held once per incarnation [INV40]", () => {
    const harness = aHarness();
    const second = { ...hold(), key: `${hold().key}.2` as never };
    harness.commit({ command: "preempt", role: "preempt", put: [second] });
    expect(harness.found.join()).toContain("has room held for it twice");
  });

  test("is taken back for its age only when it has that age [INV40]", () => {
    const evidence = { kind: "hold-over", owner: owner.key } as const;
    for (const [atMs, found] of [
      [30_000, 1],
      [60_000, 0],
    ] as const) {
      const harness = aHarness();
      harness.nowMs = atMs;
      harness.commit({
        command: "unreserve",
        role: "reclaim-leak",
        evidence,
        remove: [hold().key],
      });
      expect(harness.found).toHaveLength(found);
    }
  });
});
