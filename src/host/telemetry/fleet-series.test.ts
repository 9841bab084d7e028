import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { aNode } from "../../../test/builders/a-node.ts";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { ObjectIndex } from "../../core/observe/object-index.ts";
import type { AnyObject } from "../../core/model/objects.ts";
import { Distribution, WAITS_MS } from "./distribution.ts";
import { FleetSeries, quantile } from "./fleet-series.ts";
import { ReplicaMeasures } from "./replica-measures.ts";

const NO_SINK = { isWanted: false, take: () => {} };

let nowMs = 0;
let objects: ObjectIndex;
let replicas: ReplicaMeasures;
let series: FleetSeries;
beforeEach(() => {
  nowMs = 1_000;
  objects = new ObjectIndex();
  replicas = new ReplicaMeasures(NO_SINK);
  series = new FleetSeries({ plane: { objects }, clock: { nowMs: () => nowMs }, replicas });
});
afterEach(() => series.close());

const put = (after: AnyObject): void =>
  void objects.fold({ key: after.key, before: undefined, after });

function sampled() {
  nowMs += 15_000;
  series.sample();
  return series.samples.at(-1);
}

describe("FleetSeries", () => {
  it("tells requests of replicas from the capacity of ready nodes", () => {
    put(aNode({ name: "a-1", cpuMillis: 4_000, memoryMiB: 1_000 }));
    put(aNode({ name: "a-2", cpuMillis: 4_000, memoryMiB: 1_000, health: "fenced" }));
    put(aNode({ name: "soon", cpuMillis: 4_000, memoryMiB: 1_000, supply: "soft" }));
    put(aReplica({ stage: "serving", node: "a-1", cpuMillis: 500, memoryMiB: 100 }));
    expect(sampled()).toMatchObject({
      atMs: 16_000,
      cpu: { used: 500, reserved: 0, allocatable: 4_000 },
      memory: { used: 100, reserved: 0, allocatable: 1_000 },
    });
  });

  it("counts the queue and the binds since the sample before", () => {
    const queued = aReplica({ stage: "queued", stageSinceMs: 1_000 });
    replicas.fold(undefined, queued, 1_000);
    expect(sampled()).toMatchObject({ queued: 1, binds: 0, bindP50Ms: undefined });
    replicas.fold(queued, aReplica({ stage: "bound", node: "a-1" }), 1_200);
    const bound = sampled();
    expect(bound).toMatchObject({ queued: 0, binds: 1 });
    // 200 ms are in the bucket from 100 to 300.
    expect(bound?.bindP50Ms).toBe(200);
    expect(sampled()).toMatchObject({ binds: 0, bindP95Ms: undefined });
  });

  it("keeps an hour and no more", () => {
    for (let count = 0; count < 300; count += 1) sampled();
    expect(series.samples).toHaveLength(240);
    expect(series.samples.at(-1)?.atMs).toBe(1_000 + 300 * 15_000);
    expect(series.sinceMs).toBe(1_000);
  });
});

describe("quantile", () => {
  it("lies within the bucket, and at the last bound for what is larger than all", () => {
    const times = new Distribution(WAITS_MS);
    expect(quantile(times, 0.5)).toBeUndefined();
    for (const ms of [5, 5, 20, 20]) times.add(ms);
    expect(quantile(times, 0.5)).toBe(10);
    expect(quantile(times, 0.75)).toBe(20);
    const late = new Distribution(WAITS_MS);
    late.add(9_999_999);
    expect(quantile(late, 0.5)).toBe(3_600_000);
  });
});
