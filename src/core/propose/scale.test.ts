import { describe, expect, test } from "vitest";
import { aNode } from "../../../test/builders/a-node.ts";
import { aMeta } from "../../../test/builders/a-meta.ts";
import { aQuota } from "../../../test/builders/a-quota.ts";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { aLook } from "../../../test/builders/a-turn.ts";
import { aView } from "../../../test/builders/a-view.ts";
import { aWorkload } from "../../../test/builders/a-workload.ts";
import { anAutoscalerSpec, AUTOSCALER } from "../../../test/builders/a-scaled-plane.ts";
import { anOverride } from "../../../test/builders/an-override.ts";
import type { Decision } from "../protocol/decision.ts";
import type { AutoscalerStatus } from "../model/autoscaler.ts";
import type { AnyObject, Autoscaler, Replica } from "../model/objects.ts";
import { steered } from "../runner/steered.ts";
import { createScale } from "./scale.ts";

const NOW = { atMs: 100_000, epoch: 1 };

/** Observed to have such a load, by all of so many. */
function autoscaler(load: number, of: Partial<AutoscalerStatus> = {}, covered = 2): Autoscaler {
  const recommendation = Math.ceil(load / 100);
  const status: AutoscalerStatus = {
    observed: { ...NOW, seq: 7, sumMillis: load * 1_000, covered, of: 2, windowMs: 5_000 },
    least: [{ ...NOW, replicas: recommendation }],
    most: [covered === 2 ? { ...NOW, replicas: recommendation } : NOW],
    replicas: 2,
    ...of,
  };
  const spec = anAutoscalerSpec({ min: 1 });
  return { kind: "Autoscaler", key: AUTOSCALER, meta: aMeta(AUTOSCALER), spec, status };
}

const serving = (index: number): Replica => aReplica({ index, stage: "serving", node: "a-1" });
const both = [aWorkload({ replicas: 2 }), serving(0), serving(1), aNode({ name: "a-1" }), aQuota()];

function decide(...objects: readonly AnyObject[]): Decision {
  const controller = steered(createScale());
  return controller.reconcile(AUTOSCALER, aView(controller, objects), aLook(1_000));
}

const scene = (replica: Replica, ...others: readonly AnyObject[]): Decision =>
  decide(autoscaler(500), aWorkload({ replicas: 2 }), serving(0), replica, ...others);

const summary = (decision: Decision): string =>
  "because" in decision ? decision.because.summary : "";

describe("the autoscaler", () => {
  test("proposes a number with the observation that it rests on [AS5]", () => {
    const decision = decide(autoscaler(500), ...both);
    expect(decision).toMatchObject({
      kind: "propose",
      intents: [{ kind: "scale", from: 2, to: 5, observation: 7, generation: 1 }],
      because: { chosen: "5", parts: { observation: 7, sumMillis: 500_000, covered: 2, of: 2 } },
    });
    expect(summary(decision)).toContain("2 to 5: the load is above its target (250 of 100 load,");
  });

  test("stays where the load asks for as many, and looks again before that is old [AS5]", () => {
    const decision = decide(autoscaler(200), ...both);
    expect(decision).toMatchObject({ reason: "load-steady", deadlineMs: 31_000 });
  });

  test("says that samples are missing, and does nothing [AS3]", () => {
    const decision = decide(autoscaler(50, {}, 1), ...both);
    expect(decision).toMatchObject({ kind: "wait", reason: "samples-old" });
    expect(summary(decision)).toContain("too few samples to scale down (50 of 100 load,");
    expect(summary(decision)).toContain("some serving replicas have no sample");
    expect(summary(decide(autoscaler(0, {}, 0), ...both))).toContain(
      "no sample from 2 serving replicas",
    );
  });

  test("says that nothing was heard for too long, by its own clock [AS3]", () => {
    const controller = createScale();
    const view = aView(controller, [autoscaler(500), ...both]);
    expect(controller.reconcile(AUTOSCALER, view, aLook(1_000)).kind).toBe("propose");
    const later = controller.reconcile(AUTOSCALER, view, aLook(31_000));
    expect(later).toMatchObject({ kind: "wait", reason: "samples-old" });
  });

  test("does not decide on what an earlier leadership observed [AS3]", () => {
    const { observed } = autoscaler(500).status;
    const decision = decide(autoscaler(500, { observed: { ...observed!, epoch: 0 } }), ...both);
    expect(decision).toMatchObject({ kind: "wait", reason: "samples-old" });
  });

  test("leaves a number alone that it did not write [AS7]", () => {
    expect(decide(autoscaler(500, { replicas: 3 }), ...both)).toMatchObject({
      reason: "scaled-by-hand",
    });
    const manual = { atMs: 41_000, epoch: 1 };
    expect(decide(autoscaler(500, { manual }), ...both)).toMatchObject({
      reason: "scaled-by-hand",
    });
    const over = { atMs: 40_000, epoch: 1 };
    expect(decide(autoscaler(500, { manual: over }), ...both).kind).toBe("propose");
  });

  test("leaves alone what is no service, and what was switched off [AS7]", () => {
    const others = both.slice(1);
    const batch = aWorkload({ replicas: 2, type: "batch" });
    expect(summary(decide(autoscaler(500), batch, ...others))).toContain("only services");
    const off = decide(autoscaler(500, { replicas: 0 }), aWorkload({ replicas: 0 }), ...others);
    expect(off).toMatchObject({ kind: "wait", reason: "scale-switched-off" });
  });

  test("waits for an override by name [AS9]", () => {
    const pause = anOverride({ action: "pause-expansion", target: {} });
    expect(decide(autoscaler(500), ...both, pause)).toMatchObject({ reason: "override" });
  });
});

describe("a scale-up that would serve no load is refused with a reason", () => {
  const queued = aReplica({ index: 1, stage: "queued" });
  const admitted = aReplica({ index: 1, stage: "admitted" });

  test.each([
    ["quota", () => scene(admitted, aNode({ name: "a-1" }), aQuota({ cpuMillis: 0 }))],
    ["stale-view", () => scene(admitted, aNode({ name: "a-1" }), aQuota())],
    ["stale-view", () => scene(queued, aNode({ name: "a-1" }), aQuota())],
    ["capacity", () => scene(queued, aNode({ name: "a-1", cpuMillis: 1 }), aQuota())],
    ["topology", () => scene(queued, aNode({ name: "a-1", draining: true }), aQuota())],
    ["topology", () => scene(queued, aQuota())],
    ["failing", () => scene(aReplica({ index: 1, stage: "failed" }), aQuota())],
    ["starting", () => scene(aReplica({ index: 1, stage: "starting", node: "a-1" }), aQuota())],
  ] as const)("for %s [AS6]", (reason, decided) => {
    const decision = decided();
    expect(decision).toMatchObject({ kind: "wait", reason: "scale-refused" });
    expect(summary(decision)).toContain(`more replicas would not help (${reason}):`);
  });
});
