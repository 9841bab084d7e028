import { describe, expect, test } from "vitest";
import { autoscalerKey, type AutoscalerSpec } from "../../../core/model/autoscaler.ts";
import type { Autoscaler, Workload } from "../../../core/model/objects.ts";
import { overrideKey } from "../../../core/model/override.ts";
import type { World } from "../../world/world.ts";
import { createAutoscalingChecker } from "./autoscaling.ts";
import { CheckerHarness } from "../../../../test/builders/check/checker-harness.ts";
import { aNode, aReplica, aWorkload, bound } from "../../../../test/builders/check/fixtures.ts";
import { notScaled } from "../liveness/scale-progress.ts";

const KEY = autoscalerKey("payments", "api");
const SPEC: AutoscalerSpec = {
  workload: "api",
  min: 1,
  max: 6,
  target: { kind: "metric", name: "load", value: 100 },
  up: { replicas: 3, periodMs: 30_000, windowMs: 0 },
  down: { replicas: 1, periodMs: 0, windowMs: 60_000 },
  manualHoldMs: 60_000,
};

/** What the world asks for, from the beginning. */
const worldOf = (load: number, lateMs = 0): Partial<World> => ({
  autoscalers: [
    {
      tenant: "payments",
      name: "api",
      spec: SPEC,
      demand: [{ atMs: 0, load }],
      lostPercent: 0,
      lateMs,
    },
  ],
});

const api = (replicas: number): Workload => aWorkload({ spec: { replicas } });

function scaler(
  load = 0,
  of: { covered?: number; seq?: number; spec?: Partial<AutoscalerSpec> } = {},
) {
  const { covered = 4, seq = 1, spec } = of;
  const observed = { seq, atMs: 0, epoch: 1, sumMillis: load * 1_000, covered, of: 4, windowMs: 1 };
  const meta = { ...aNode().meta, namespace: "payments", name: "api" };
  const status = { observed };
  return { kind: "Autoscaler", key: KEY, meta, spec: { ...SPEC, ...spec }, status } as Autoscaler;
}

class ScaleHarness extends CheckerHarness {
  constructor(load: number, replicas = 4) {
    super(createAutoscalingChecker(), worldOf(load));
    this.nowMs = 100_000;
    this.commit({ put: [aNode(), api(replicas), scaler()] });
    for (let index = 0; index < replicas; index += 1) {
      this.commit({ put: [bound(aReplica({ spec: { index } }), "node-1", { stage: "serving" })] });
    }
  }
  observe(load: number, covered = 4): this {
    this.nowMs += 10_000;
    this.commit({ command: "observe", role: "gauge", put: [scaler(load, { covered })] });
    return this;
  }
  scale(to: number): readonly string[] {
    this.commit({ command: "scale", role: "scale", put: [api(to), scaler()] });
    return this.found;
  }
}

const left = (load: number): readonly string[] =>
  [...notScaled(new ScaleHarness(load), 1_000)].map(({ message }) => message);

describe("the checker of what is scaled by itself", () => {
  test("accepts a step up and a step down that the load asks for [INV150] [INV151] [INV152] [INV153]", () => {
    expect(new ScaleHarness(550).observe(550).scale(6)).toEqual([]);
    const down = new ScaleHarness(250);
    for (let at = 0; at < 7; at += 1) down.observe(250);
    expect(down.scale(3)).toEqual([]);
  });

  test("rejects a number outside of the bounds, too large a step, and one too soon [INV150]", () => {
    expect(new ScaleHarness(900).observe(900).scale(7)).toContain(
      "INV150 Workload/payments/api was given 7 replicas, and may have 1 to 6.",
    );
    expect(new ScaleHarness(500, 1).observe(500).scale(5)).toEqual([
      "INV150 Workload/payments/api went from 1 to 5, and a step is 3.",
    ]);
    const soon = new ScaleHarness(600).observe(600);
    soon.scale(5);
    soon.commit({ put: [bound(aReplica({ spec: { index: 4 } }), "node-1", { stage: "serving" })] });
    expect(soon.observe(600).scale(6)).toEqual([
      "INV150 Workload/payments/api took two steps within 10000 of 30000 ms.",
    ]);
  });

  test("rejects more observations than the log takes [INV150]", () => {
    const harness = new ScaleHarness(400).observe(400);
    harness.nowMs += 4_999;
    harness.commit({ command: "observe", role: "gauge", put: [scaler(400, { seq: 2 })] });
    expect(harness.found).toEqual([
      "INV150 Autoscaler/payments/api was observed twice within 4999 ms.",
    ]);
  });

  test("rejects more replicas while one has no node [INV151]", () => {
    const harness = new ScaleHarness(600).observe(600);
    harness.commit({ put: [aReplica({ spec: { index: 3 }, status: { stage: "queued" } })] });
    expect(harness.scale(6)).toEqual([
      "INV151 Workload/payments/api was given 6 replicas, and index 3 is queued.",
    ]);
  });

  test("rejects more than the load needs, and fewer [INV152]", () => {
    expect(new ScaleHarness(450).observe(600).scale(6)).toContain(
      "INV152 Workload/payments/api was given 6 replicas, and 5 carry its load.",
    );
    expect(new ScaleHarness(400).observe(300).scale(3)).toContain(
      "INV152 Workload/payments/api was left 3 replicas, and its load needs 4.",
    );
  });

  test("rejects a way back within the window, or on what was not measured [INV152]", () => {
    const against =
      "INV152 Workload/payments/api went down to 3 against what was just observed of it.";
    expect(new ScaleHarness(250).observe(500).observe(250).scale(3)).toContain(against);
    expect(new ScaleHarness(250).observe(100, 3).scale(3)).toContain(against);
  });

  test("rejects a way back before the window was watched in whole [INV152]", () => {
    expect(new ScaleHarness(250).observe(250).observe(250).scale(3)).toEqual([
      "INV152 Workload/payments/api went down to 3 after 10000 ms of its window.",
    ]);
  });

  test("rejects what a person's number or an override forbids [INV153]", () => {
    const harness = new ScaleHarness(600).observe(600);
    harness.commit({ put: [api(3)] });
    expect(harness.observe(600).scale(6)).toEqual([
      "INV153 Workload/payments/api was scaled 10000 ms after a person did so.",
    ]);
    const held = new ScaleHarness(600).observe(600);
    const spec = { action: "freeze-tenant", target: { tenant: "payments" }, reason: "", ttlMs: 1 };
    const status = { owner: "ana", sinceMs: 0, untilMs: 1_000_000, extensions: 0 };
    const key = overrideKey("ov-1");
    held.commit({ put: [{ kind: "Override", key, meta: aNode().meta, spec, status } as never] });
    expect(held.scale(6)).toEqual([
      "INV153 Workload/payments/api went from 4 to 6 against Override//ov-1.",
    ]);
  });

  test("finds a number that does not follow the load [LIV60]", () => {
    expect(left(400)).toEqual([]);
    expect(left(430)).toEqual([]);
    expect(left(900)).toEqual(["Workload/payments/api has 4 replicas, and its load asks for 6."]);
    expect(left(150)).toEqual(["Workload/payments/api has 4 replicas, and its load asks for 2."]);
  });
});
