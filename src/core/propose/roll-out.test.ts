import { describe, expect, test } from "vitest";
import { indexKey, WORKLOAD } from "../../../test/builders/a-plane.ts";
import { aRollingPlane, aRollout, RollingPlane } from "../../../test/builders/a-rolling-plane.ts";
import type { WorkloadSpecParts } from "../../../test/builders/a-workload.ts";
import { aLook } from "../../../test/builders/a-turn.ts";
import { aView } from "../../../test/builders/a-view.ts";
import type { Intent } from "../protocol/command.ts";
import type { Controller } from "../runner/controller.ts";
import type { Decision } from "../protocol/decision.ts";
import { KINDS } from "../model/ids.ts";
import { createRollOut } from "./roll-out.ts";

/**
 * A plane and the controller that looks after its rollouts; what it proposes is sent when a test
 * says so.
 */
class Scene {
  readonly plane: RollingPlane;
  controller: Controller = createRollOut();
  nowMs = 0;

  constructor(of: WorkloadSpecParts = {}) {
    this.plane = aRollingPlane(of);
  }

  look(): Decision {
    const { objects } = this.plane.ledger;
    const all = KINDS.flatMap((kind) => [...objects.all(kind).values()]);
    const view = aView(this.controller, all);
    return this.controller.reconcile(WORKLOAD, view, aLook(this.nowMs));
  }

  /** Carries out what it proposes until it proposes nothing more, and returns the last decision. */
  settle(): Decision {
    for (;;) {
      const decision = this.look();
      if (decision.kind !== "propose") return decision;
      for (const intent of decision.intents) this.plane.must(intent);
    }
  }
}

const moveOf = (decision: Decision): unknown =>
  decision.kind === "propose"
    ? decision.intents.map((intent) => (intent as Extract<Intent, { kind: "roll" }>).move)
    : decision;

describe("a rollout", () => {
  test("begins what the surge allows and waits for it to serve, with the deadline [RN6] [RO2]", () => {
    const scene = new Scene();
    scene.plane.release("v2");
    expect(moveOf(scene.look())).toEqual([{ kind: "advance", begin: [0], drop: [], step: 0 }]);
    expect(scene.settle()).toMatchObject({
      kind: "wait",
      reason: "rollout-unavailable-budget",
      deadlineMs: 15_000,
      because: { summary: `${WORKLOAD}: 0 of 1 replica of generation 2 serves; 1 not started` },
    });
  });

  test("leaves an old one for every new one that serves, and says when all do [RO3] [RO6]", () => {
    const scene = new Scene({ replicas: 2 });
    scene.plane.release("v2");
    scene.settle();
    scene.plane.serve(2, 0);
    const drop = [{ generation: 1, indexes: [0] }];
    expect(moveOf(scene.look())).toEqual([{ kind: "advance", begin: [1], drop, step: 0 }]);
    expect(scene.settle()).toMatchObject({ kind: "wait", reason: "rollout-surge" });
    scene.plane.tell(indexKey(0), "released");
    scene.plane.serve(2, 1);
    expect(scene.settle()).toEqual({ kind: "settled" });
    expect(scene.plane.workload().status).toMatchObject({ served: true, templateGeneration: 2 });
  });

  test("gives up replicas that do not serve first, and those that never served before all others [RO3] [RO8]", () => {
    const scene = new Scene();
    scene.plane.release("v2");
    scene.settle();
    scene.plane.serve(2, 0);
    scene.plane.tell(indexKey(1), "failed");
    scene.plane.release("v3");
    // Three serve: the one of v2 has to stay, and the failed one of v1 makes room.
    const drop = [{ generation: 1, indexes: [1] }];
    expect(moveOf(scene.look())).toEqual([{ kind: "advance", begin: [0], drop, step: 0 }]);
    scene.settle();
    scene.plane.serve(3, 0);
    const next = [{ generation: 2, indexes: [0] }];
    expect(moveOf(scene.look())).toEqual([{ kind: "advance", begin: [1], drop: next, step: 0 }]);
  });

  test("that is paused waits until it is resumed, and its deadline does not run [RO5] [RO7]", () => {
    const scene = new Scene();
    scene.plane.release("v2");
    scene.settle();
    scene.plane.want({ rollout: aRollout({ paused: true }) });
    scene.nowMs = 1_000_000;
    expect(scene.look()).toMatchObject({ kind: "wait", reason: "rollout-paused" });
    scene.plane.want({ rollout: aRollout() });
    expect(scene.look()).toMatchObject({ kind: "wait", reason: "rollout-unavailable-budget" });
  });

  test("stops at each step, watches it for its pause, and goes on [RO5]", () => {
    const steps = [{ replicas: 1, pauseMs: 90_000 }, { replicas: 2 }];
    const scene = new Scene({ rollout: aRollout({ steps }) });
    scene.plane.release("v2");
    scene.settle();
    scene.plane.serve(2, 0);
    expect(scene.settle()).toMatchObject({ reason: "rollout-step", deadlineMs: 90_000 });
    expect(scene.plane.rollout).toMatchObject({ begun: [0, 1], step: 0 });
    scene.nowMs = 90_000;
    expect(moveOf(scene.look())).toEqual([{ kind: "advance", begin: [], drop: [], step: 1 }]);
  });

  test("begins its watch anew when one of the step stops to serve, and is not failed by the watch [RO5] [RO7]", () => {
    const scene = new Scene({ rollout: aRollout({ steps: [{ replicas: 1, pauseMs: 90_000 }] }) });
    scene.plane.release("v2");
    scene.settle();
    scene.plane.serve(2, 0);
    scene.settle();
    scene.nowMs = 80_000;
    scene.settle();
    scene.plane.tell(indexKey(0, 2), "ready");
    expect(scene.settle()).toMatchObject({ kind: "wait", reason: "rollout-unavailable-budget" });
    scene.plane.tell(indexKey(0, 2), "serving");
    expect(scene.settle()).toMatchObject({ reason: "rollout-step", deadlineMs: 170_000 });
  });

  test("that makes no progress for its deadline fails, and says where its replicas stopped [RO7]", () => {
    const scene = new Scene();
    scene.plane.release("v2");
    scene.settle();
    scene.plane.must(scene.plane.incarnationOf(2, 0));
    scene.nowMs = 59_999;
    expect(scene.look()).toMatchObject({ kind: "wait", deadlineMs: 60_000 });
    scene.nowMs = 60_000;
    const reason =
      "no progress for 60 s: 0 of 1 replica of generation 2 serves; 1 waiting for a node";
    expect(moveOf(scene.look())).toEqual([{ kind: "fail", reason }]);
    expect(scene.settle()).toEqual({ kind: "settled" });
    expect(scene.plane.rollout).toMatchObject({ stage: "rolled-back", to: 1 });
  });

  test("counts its deadline from the last replica that came to serve [RO7]", () => {
    const scene = new Scene();
    scene.plane.release("v2");
    scene.settle();
    scene.nowMs = 50_000;
    scene.plane.serve(2, 0);
    scene.settle();
    scene.nowMs = 109_999;
    expect(scene.settle()).toMatchObject({ kind: "wait", deadlineMs: 110_000 });
    scene.nowMs = 110_000;
    expect(moveOf(scene.look())).toMatchObject([{ kind: "fail" }]);
  });

  test("on its way back ends replicas that do not serve at once and begins as many as fit [RO7] [RO9]", () => {
    const scene = new Scene({ rollout: aRollout({ maxSurge: 0, maxUnavailable: 3 }) });
    scene.plane.release("v2");
    scene.settle();
    expect(scene.plane.rollout).toMatchObject({ begun: [0, 3] });
    for (const index of [0, 1, 2]) scene.plane.tell(indexKey(index), "released");
    scene.nowMs = 60_000;
    scene.settle();
    scene.nowMs = 120_000;
    scene.settle();
    expect(scene.plane.rollout).toMatchObject({ stage: "going-back", to: 1 });
    expect(scene.plane.rollout?.old).toEqual([{ generation: 2, indexes: [] }]);
  });

  test("of a workload that is being deleted, or is none any more, is left alone", () => {
    const scene = new Scene();
    scene.plane.release("v2");
    scene.plane.must({ kind: "delete", key: WORKLOAD, expect: {} });
    expect(scene.look()).toEqual({ kind: "settled" });
  });
});

describe("a workload that does not roll out", () => {
  test("is not woken by its replicas once all of them have served [RO6]", () => {
    const { plane, controller } = new Scene();
    const all = [plane.workload(), plane.replica(0), plane.replica(1), plane.replica(2)];
    const view = aView(controller, all);
    const change = { key: indexKey(0), before: undefined, after: plane.replica(0) };
    expect(controller.keysFor(change, view)).toEqual([]);
    expect([...controller.allKeys(view)]).toEqual([]);
  });

  test("is looked at when the last of its replicas serves for the first time, and not before [RO6]", () => {
    const plane = new RollingPlane();
    plane.tenant();
    plane.joined();
    plane.want({ replicas: 2 });
    const controller = createRollOut();
    const served = (): readonly string[] => {
      const replicas = [...plane.ledger.objects.all("Replica").values()];
      const view = aView(controller, [plane.workload(), ...replicas]);
      const after = replicas.at(-1)!;
      const change = { key: after.key, before: undefined, after };
      controller.follow?.(change, view);
      return controller.keysFor(change, view);
    };
    plane.serve(1, 0);
    expect(served()).toEqual([]);
    plane.serve(1, 1);
    expect(served()).toEqual([WORKLOAD]);
  });
});
