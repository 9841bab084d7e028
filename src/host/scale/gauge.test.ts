import { afterEach, describe, expect, test } from "vitest";
import {
  AUTOSCALER,
  aScaledPlane,
  type ScaledPlane,
} from "../../../test/builders/a-scaled-plane.ts";
import { indexKey, WORKLOAD } from "../../../test/builders/a-plane.ts";
import type { Intent } from "../../core/protocol/command.ts";
import type { Actor } from "../../core/model/actor.ts";
import type { PlanePort } from "../plane-port.ts";
import { Gauge } from "./gauge.ts";
import { SampleWindow } from "./sample-window.ts";

let gauge: Gauge | undefined;
afterEach(() => gauge?.close());

const objectsOf = (plane: ScaledPlane) => plane.ledger.objects;

const sample = (index: number, value: number, metric = "load") => ({
  of: indexKey(index),
  metric,
  valueMillis: value * 1_000,
});

const miss = (index: number, missing: string) => ({ of: indexKey(index), metric: "load", missing });

describe("the window of samples", () => {
  test("adds up what was measured lately of those that serve [AS2]", () => {
    const plane = aScaledPlane();
    const window = new SampleWindow();
    for (const index of [0, 1, 2])
      window.take(objectsOf(plane), [sample(index, 50)], index * 10_000);
    const read = (nowMs: number) => window.read(objectsOf(plane), plane.autoscaler, nowMs);
    expect(read(20_000)).toEqual({ sumMillis: 150_000, covered: 3, of: 4, windowMs: 30_000 });
    // The first is half a minute old by now.
    expect(read(30_001)).toMatchObject({ sumMillis: 100_000, covered: 2, of: 4 });
    expect(read(90_000)).toMatchObject({ sumMillis: 0, covered: 0, of: 4 });
  });

  test("takes a sample of the workload for one of all its replicas [AS2]", () => {
    const plane = aScaledPlane();
    const window = new SampleWindow();
    window.take(objectsOf(plane), [{ of: WORKLOAD, metric: "load", valueMillis: 420_000 }], 0);
    const reading = window.read(objectsOf(plane), plane.autoscaler, 0);
    expect(reading).toMatchObject({ sumMillis: 420_000, covered: 4, of: 4 });
  });

  test("says of one that serves and was not measured why, for as long as that is known [AS10]", () => {
    const plane = aScaledPlane();
    const window = new SampleWindow();
    const read = (nowMs: number) => window.read(objectsOf(plane), plane.autoscaler, nowMs);
    const all = [sample(0, 50), sample(1, 50), miss(3, "refused"), miss(2, "answered 404")];
    expect(window.take(objectsOf(plane), all, 0)).toBe(4);
    expect(read(0)).toMatchObject({ sumMillis: 100_000, covered: 2, of: 4 });
    expect(read(0).missing).toBe("api.1.2: answered 404");
    // What was measured a moment ago still counts, and is not taken back by a look that failed.
    window.take(objectsOf(plane), [sample(2, 0), miss(2, "refused"), sample(3, 0)], 20_000);
    expect(read(20_000)).toEqual({ sumMillis: 100_000, covered: 4, of: 4, windowMs: 30_000 });
    expect(read(40_000).missing).toBeUndefined();
    expect(read(60_000)).toEqual({ sumMillis: 0, covered: 0, of: 4, windowMs: 30_000 });
  });

  test("keeps no samples that no autoscaler uses, and no more than its bound [AS2]", () => {
    const plane = aScaledPlane();
    const window = new SampleWindow(2);
    expect(window.take(objectsOf(plane), [sample(0, 1, "joy")], 0)).toBe(0);
    expect(window.take(objectsOf(plane), [sample(9, 1)], 0)).toBe(0);
    for (const index of [0, 1, 2]) window.take(objectsOf(plane), [sample(index, 10)], 0);
    expect(window.read(objectsOf(plane), plane.autoscaler, 0)).toMatchObject({ covered: 2 });
  });
});

function measuring(plane: ScaledPlane, isLeading = true): Gauge {
  const window = new SampleWindow();
  window.take(objectsOf(plane), [sample(0, 90)], 0);
  const port = {
    isLeading,
    objects: objectsOf(plane),
    submit: async ({ operation, ...ask }: Intent, { role }: Actor) => ({
      kind: "outcome",
      outcome: plane.send(ask, { role, operation }),
      epoch: 1,
    }),
  } as unknown as PlanePort;
  gauge = new Gauge({ plane: port, clock: { nowMs: () => plane.nowMs }, window });
  return gauge;
}

describe("the gauge", () => {
  test("sends one observation of each autoscaler, and never the same twice [AS2]", async () => {
    const plane = aScaledPlane();
    const measured = measuring(plane);
    expect(await measured.observe()).toBe(1);
    expect(plane.status.observed).toMatchObject({ seq: 1, sumMillis: 90_000, covered: 1, of: 4 });
    expect(plane.lastCommit).toMatchObject({
      command: "observe",
      actor: { role: "gauge" },
      changes: [{ key: AUTOSCALER }],
    });
    plane.nowMs += 1_000;
    expect(await measured.observe()).toBe(0);
    plane.nowMs += 9_000;
    expect(await measured.observe()).toBe(1);
  });

  test("is silent where its plane does not lead [AS2]", async () => {
    const plane = aScaledPlane();
    expect(await measuring(plane, false).observe()).toBe(0);
    expect(plane.status.observed).toBeUndefined();
  });
});
