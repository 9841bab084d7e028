import { describe, expect, test } from "vitest";
import { amountsOf } from "../../../test/builders/a-budgeted-plane.ts";
import {
  aPartitionedPlane,
  aPlaneInTwoRegions,
  type PartitionedPlane,
  DEGRADED,
} from "../../../test/builders/a-partitioned-plane.ts";
import { putting, WORKLOAD } from "../../../test/builders/a-plane.ts";
import { aLook } from "../../../test/builders/a-turn.ts";
import { aView } from "../../../test/builders/a-view.ts";
import { aWorkloadSpec } from "../../../test/builders/a-workload.ts";
import { allControllers } from "../all-controllers.ts";
import type { Decision } from "../protocol/decision.ts";
import { whatIf, whyNot } from "../explain/what-if.ts";
import { KINDS, workloadKey } from "../model/ids.ts";
import { overrideKey } from "../model/override.ts";
import type { AnyObject } from "../model/objects.ts";
import { priorityClassKey } from "../model/preemption.ts";
import { RECOVERY_BUDGETS_FACT } from "../observe/facts.ts";

const MARK = "override cut (mark-partitioned by ana until 1970-01-01T00:01:00Z)";

/** What a controller of a plane decides on all that is there. */
function decide(plane: PartitionedPlane, name = "place-1", key = WORKLOAD): Decision {
  const controller = new Map(allControllers(1)).get(name)!();
  const all = KINDS.flatMap((kind): AnyObject[] => [...plane.ledger.objects.all(kind).values()]);
  const view = aView(controller, all, plane.ledger.revision);
  for (const after of all) controller.follow?.({ key: after.key, before: undefined, after }, view);
  return controller.reconcile(key, view, aLook(1_000));
}

const queued = (plane: PartitionedPlane, indexes = 1): PartitionedPlane => {
  for (let index = 0; index < indexes; index += 1) plane.queued(index);
  return plane;
};

const asked = (decision: Decision): readonly (readonly unknown[])[] => {
  const [intent] = decision.kind === "propose" ? decision.intents : [];
  const bindings = intent?.kind === "bind-all" ? intent.bindings : intent ? [intent] : [];
  return bindings.map((each) =>
    "node" in each ? [each.node, "budget" in each && each.budget] : [],
  );
};

describe("a scheduler", () => {
  test("lets what names the region wait for it, and says whose mark it is and which test [DG3]", () => {
    const plane = queued(aPartitionedPlane(DEGRADED, { regions: ["west"] }));
    const decision = decide(plane);
    const example = `Node//w-1: ${MARK}: residency, its placement names regions or zones`;
    expect(decision).toMatchObject({
      kind: "wait",
      reason: "region-partitioned",
      because: { rejected: { "region-partitioned": { count: 1, example } } },
    });
    expect(decision.kind === "wait" && decision.wakes).toContain(overrideKey("cut"));
  });

  test("blames no mark for a region that is full anyway [DG3]", () => {
    const plane = queued(aPlaneInTwoRegions(DEGRADED, { regions: ["west"], cpuMillis: 3_000 }));
    plane.mark();
    expect(decide(plane)).toMatchObject({ reason: "no-feasible-node" });
  });

  test("places elsewhere what may be placed elsewhere, and counts the region as no place to spread over [DG3]", () => {
    const spread = [{ by: "region", maxSkew: 1 }];
    const plane = queued(aPartitionedPlane(DEGRADED, { spread }), 3);
    expect(asked(decide(plane))).toEqual([1, 2, 3].map(() => ["e-1", false]));
  });

  test("places work of low risk there on the budget from before, no more than is left of it, and the rest elsewhere [DG4]", () => {
    const plane = aPlaneInTwoRegions();
    plane.renode("e-1", { capacity: { ...plane.node("e-1").spec.capacity, cpuMillis: 500 } });
    plane.mark();
    plane.grant("a-later-one", { region: "west", amounts: amountsOf(3) });
    const decision = decide(queued(plane, 6));
    const found = asked(decision);
    expect(found.filter(([node]) => node === "w-1")).toEqual([1, 2, 3].map(() => ["w-1", "old"]));
    expect(found.filter(([node]) => node === "e-1")).toEqual([["e-1", false]]);
  });

  test("lets it wait for a budget when none is left, and is woken by one [DG4]", () => {
    const plane = aPlaneInTwoRegions();
    plane.renode("e-1", { draining: true });
    plane.mark();
    plane.provisional(3).queued(3);
    const decision = decide(plane);
    expect(decision).toMatchObject({
      reason: "region-partitioned",
      because: {
        rejected: {
          "region-partitioned": {
            example: `Node//w-1: ${MARK}: budget, no budget granted before the partition covers it in west`,
          },
        },
      },
    });
    expect(decision.kind === "wait" && decision.wakes).toContain(RECOVERY_BUDGETS_FACT);
  });
});

test("no replica is preempted there, and one elsewhere is [DG2]", () => {
  const plane = aPlaneInTwoRegions(DEGRADED, { cpuMillis: 2_000 });
  for (const [index, node] of ["w-1", "e-1"].entries()) plane.place(index, { node });
  const big = workloadKey("payments", "big");
  plane.must(putting(priorityClassKey("top"), { kind: "PriorityClass", spec: { value: 10 } }));
  const spec = aWorkloadSpec({ cpuMillis: 2_000, priorityClass: "top" });
  plane.must(putting(big, { kind: "Workload", spec }));
  plane.must({
    kind: "enqueue",
    workload: big,
    generation: 1,
    indexes: [{ index: 0, incarnation: 1 }],
  });
  plane.mark();
  expect(asked(decide(plane, "preempt", big))).toEqual([["e-1", false]]);
  plane.mark("east", { target: { region: "east" } });
  expect(decide(plane, "preempt", big)).toMatchObject({ kind: "wait" });
});

test("room that is kept there stays, of use or not, and no more is kept there [DG1] [DG2]", () => {
  const recovery = { withinMs: 60_000, replicas: 2, regions: ["west"] };
  const plane = aPlaneInTwoRegions(DEGRADED, { recovery });
  for (const index of [0, 1]) plane.place(index, { node: "e-1" });
  expect(plane.hold(["w-1"]).kind).toBe("committed");
  const hold = { kind: "propose", intents: [{ kind: "hold-recovery" }] };
  expect(decide(plane, "keep-recovery")).toMatchObject(hold);
  plane.mark();
  expect(decide(plane, "keep-recovery")).toMatchObject({ kind: "wait", reason: "recovery-short" });
  plane.renode("w-1", { draining: true });
  expect(decide(plane, "keep-recovery")).toMatchObject({ kind: "wait", reason: "recovery-short" });
  plane.unmark();
  expect(decide(plane, "keep-recovery")).toMatchObject(hold);
});

test("an explanation names the mark and the test, and that its end would help [DG7]", () => {
  const plane = queued(aPartitionedPlane(DEGRADED, { regions: ["west"] }));
  const { objects } = plane.ledger;
  const remedy = { kind: "release-override", override: "cut", owner: "ana", untilMs: 60_000 };
  expect(whyNot(objects, plane.replica(), "w-1")).toMatchObject([
    { rule: "region-partitioned", code: "region-partitioned", what: "residency", remedy },
  ]);
  expect(whatIf(objects, plane.replica()).suggestions[0]).toMatchObject({ remedies: [remedy] });
  const paid = queued(aPartitionedPlane());
  expect(whyNot(paid.ledger.objects, paid.replica(), "w-1")).toEqual([]);
});
