import { describe, expect, test } from "vitest";
import { aBudgetedPlane, RESERVE } from "../../../test/builders/a-budgeted-plane.ts";
import {
  aRecoveringPlane,
  RECOVERY,
  type RecoveringPlane,
} from "../../../test/builders/a-recovering-plane.ts";
import { codeOf } from "../../../test/builders/code-of.ts";
import { aRefusal } from "../../../test/builders/a-refusal.ts";
import { aLook } from "../../../test/builders/a-turn.ts";
import { aView } from "../../../test/builders/a-view.ts";
import { WORKLOAD } from "../../../test/builders/a-plane.ts";
import type { Decision, Look } from "../protocol/decision.ts";
import { KINDS, nodeKey } from "../model/ids.ts";
import type { AnyObject } from "../model/objects.ts";
import type { View } from "../observe/view.ts";
import { createKeepRecovery } from "./keep-recovery.ts";

const controller = createKeepRecovery();

const seen = (plane: RecoveringPlane): View => {
  const all = KINDS.flatMap((kind): AnyObject[] => [...plane.ledger.objects.all(kind).values()]);
  return aView(controller, all, plane.ledger.revision);
};

const look = (plane: RecoveringPlane, of: Partial<Look> = {}): Decision =>
  createKeepRecovery().reconcile(WORKLOAD, seen(plane), aLook(1_000, of));

const intentOf = (decision: Decision) =>
  decision.kind === "propose" ? decision.intents[0] : undefined;

describe("keep-recovery", () => {
  test("holds what is missing, spread over zones and nodes [RV2]", () => {
    const plane = aRecoveringPlane({ replicas: 2 }).up();
    expect(intentOf(look(plane))).toMatchObject({
      kind: "hold-recovery",
      holds: 0,
      rooms: [
        { node: "away-1", deviceIds: [] },
        { node: "away-2", deviceIds: [] },
      ],
      drop: [],
    });
  });

  test("keeps no more in a place than its spread lets replicas take, and says so [RV2]", () => {
    const plane = aRecoveringPlane({ spread: [{ by: "zone", maxSkew: 1 }] }).up();
    plane.resize("away-1", 400);
    expect(intentOf(look(plane))).toMatchObject({ rooms: [{ node: "away-2" }] });
    plane.hold(["away-2"]);
    expect(look(plane)).toMatchObject({
      kind: "wait",
      reason: "recovery-short",
      because: { rejected: { "too-uneven": { count: 2, example: "away-3" } } },
    });
  });

  test("takes what is kept in the emptier place first, so that none is given back for its age [RV5]", () => {
    const recovery = { ...RECOVERY, replicas: 3 };
    const spread = [{ by: "zone", maxSkew: 1 }];
    const plane = aRecoveringPlane({ replicas: 4, spread, recovery }).up();
    plane.serving({ index: 2, node: "home-1" });
    expect(codeOf(plane.hold(["away-2", "away-1"]))).toBe("committed");
    plane.serving({ index: 3, node: "away-3" });
    plane.recover();
    // By age, us-b would have two before us-a has one.
    expect(look(plane)).toEqual({ kind: "settled" });
  });

  test("leaves nodes alone that refused it lately, until its view shows why [RN4]", () => {
    const plane = aRecoveringPlane().up();
    const feedback = [aRefusal("node-full", { field: "Node//away-1 cpuMillis" })];
    expect(intentOf(look(plane, { feedback }))).toMatchObject({
      rooms: [{ node: "away-2" }, { node: "away-3" }],
    });
  });

  test("moves what is kept on a node that takes nothing new [RV5]", () => {
    const plane = aRecoveringPlane().up();
    plane.hold(["away-1", "away-2"]);
    expect(look(plane)).toEqual({ kind: "settled" });
    plane.cordon("away-1");
    const [first] = plane.spares;
    expect(intentOf(look(plane))).toMatchObject({
      rooms: [{ node: "away-3" }],
      drop: [first!.key],
    });
    const change = { key: nodeKey("away-1"), before: undefined, after: plane.node("away-1") };
    expect(controller.keysFor(change, seen(plane))).toEqual([WORKLOAD]);
  });

  test("waits for room that is not there, says how much is kept and why not the rest [RV2] [RN6]", () => {
    const plane = aRecoveringPlane().up();
    plane.resize("away-1", 600);
    for (const name of ["away-2", "away-3"]) plane.resize(name, 100);
    plane.hold(["away-1"]);
    expect(look(plane)).toMatchObject({
      kind: "wait",
      reason: "recovery-short",
      deadlineMs: 6_000,
      because: {
        summary: `${WORKLOAD}: headroom is reserved for 1 of 2`,
        rejected: { "node-full": { count: 3, example: "away-1" } },
      },
    });
  });

  test("gives back what its workload no longer asks for [RV3]", () => {
    const plane = aRecoveringPlane().up();
    plane.hold(["away-1", "away-2"]);
    const [first, second] = plane.spares.map(({ key }) => key);
    plane.putDesired({
      replicas: 2,
      cpuMillis: 500,
      memoryMiB: 10,
      recovery: { ...RECOVERY, replicas: 1 },
    });
    expect(intentOf(look(plane))).toMatchObject({ rooms: [], drop: [second] });
    plane.putDesired({ replicas: 2, cpuMillis: 500, memoryMiB: 10 });
    expect(intentOf(look(plane))).toMatchObject({ rooms: [], drop: [first, second] });
  });

  test("says what is new of a recovery, and when its time is over by its own clock [RV6] [RV7]", () => {
    const plane = aRecoveringPlane();
    for (const index of [0, 1]) plane.serving({ index, node: "home-1" });
    expect(intentOf(look(plane))).toMatchObject({ kind: "recover", workload: WORKLOAD });
    plane.recover();
    plane.hold(["away-1", "away-2"]);
    plane.vouchedGone("home-1");
    expect(intentOf(look(plane))).toMatchObject({ kind: "recover" });
    plane.recover();
    const harness = createKeepRecovery();
    const view = seen(plane);
    const first = harness.reconcile(WORKLOAD, view, aLook(1_000));
    // A hundredth that our clock may be fast by, and another that the authority's may be slow by.
    expect(first).toMatchObject({ kind: "wait", reason: "recovering", deadlineMs: 31_600 });
    expect(harness.reconcile(WORKLOAD, view, aLook(31_599)).kind).toBe("wait");
    // That half of its time has passed is written down, and then that all of it has.
    expect(intentOf(harness.reconcile(WORKLOAD, view, aLook(31_600)))).toMatchObject({
      kind: "recover",
    });
    plane.nowMs += 40_000;
    plane.recover();
    const second = harness.reconcile(WORKLOAD, seen(plane), aLook(42_000));
    expect(second).toMatchObject({ kind: "wait", deadlineMs: 42_000 + 20_400 });
    expect(intentOf(harness.reconcile(WORKLOAD, seen(plane), aLook(62_400)))).toMatchObject({
      kind: "recover",
    });
  });

  test("says that more were lost while it waits at the same stage [RV6]", () => {
    const plane = aRecoveringPlane();
    plane.joined("home-2", { region: "eu", cpuMillis: 2_000 });
    plane.serving({ index: 0, node: "home-1" });
    plane.serving({ index: 1, node: "home-2" });
    plane.recover();
    plane.hold(["away-1", "away-2"]);
    plane.vouchedGone("home-1");
    plane.recover();
    expect(look(plane)).toMatchObject({ kind: "wait", reason: "recovering" });
    plane.vouchedGone("home-2");
    expect(intentOf(look(plane))).toMatchObject({ kind: "recover" });
  });

  test("says that the fairness window is over by its own clock, and looks when the policy moves [BU8]", () => {
    const plane = aBudgetedPlane({ ...RESERVE, fairnessWindowMs: 10_000 });
    plane.recover();
    const harness = createKeepRecovery();
    const view = seen(plane);
    expect(harness.reconcile(WORKLOAD, view, aLook(1_000))).toMatchObject({
      kind: "wait",
      deadlineMs: 11_200,
    });
    expect(intentOf(harness.reconcile(WORKLOAD, view, aLook(11_200)))).toMatchObject({
      kind: "recover",
    });
    const change = { key: plane.policy().key, before: undefined, after: plane.policy() };
    expect(harness.keysFor(change, view)).toEqual([WORKLOAD]);
    plane.nowMs = 10_000;
    plane.recover();
    const next = harness.reconcile(WORKLOAD, seen(plane), aLook(12_000));
    // More of its time has passed by then, and no other end is to come.
    expect(next).toMatchObject({ kind: "wait", deadlineMs: 12_000 + 30_600 });
  });

  test("is settled for a workload without an objective, and wakes for none of its replicas [RV2]", () => {
    const plane = aRecoveringPlane();
    plane.putDesired({ replicas: 2, cpuMillis: 500, memoryMiB: 10 });
    const { key } = plane.queued(0);
    expect(look(plane)).toEqual({ kind: "settled" });
    const change = { key, before: undefined, after: plane.replica(0) };
    expect(controller.keysFor(change, seen(plane))).toEqual([]);
    expect([...controller.allKeys(seen(plane))]).toEqual([]);
  });
});
