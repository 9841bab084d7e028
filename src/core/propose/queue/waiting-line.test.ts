import { describe, expect, test } from "vitest";
import { aNode } from "../../../../test/builders/a-node.ts";
import { aQuota } from "../../../../test/builders/a-quota.ts";
import { aReplica } from "../../../../test/builders/a-replica.ts";
import { aView } from "../../../../test/builders/a-view.ts";
import { aMeta } from "../../../../test/builders/a-meta.ts";
import { type ObjectKey, workloadKey } from "../../model/ids.ts";
import { keyOf } from "../../runner/controller.ts";
import type { AnyObject, PriorityClass } from "../../model/objects.ts";
import { priorityClassKey } from "../../model/preemption.ts";
import { NodeFinder } from "../fleet/node-finder.ts";
import { QueuedReplicas } from "../queued-replicas.ts";
import { WaitingLine } from "./waiting-line.ts";

const interest = {
  kinds: new Set(["Node", "Replica", "Quota", "PriorityClass"] as const),
  node: undefined,
};

class Harness {
  readonly queued = new QueuedReplicas();
  readonly line = new WaitingLine(this.queued);
  readonly view;
  readonly finder;

  constructor(...objects: readonly AnyObject[]) {
    this.view = aView({ interest }, objects);
    this.finder = new NodeFinder(this.view);
    for (const after of objects) this.follow(undefined, after);
  }

  follow(before: AnyObject | undefined, after: AnyObject | undefined): void {
    const change = { key: (after ?? before)!.key, before, after };
    this.view.objects.fold(change);
    this.queued.follow(change);
    this.line.follow(change);
    this.finder.follow(change);
  }

  order(...due: readonly ObjectKey[]): readonly ObjectKey[] {
    return [...this.line.order(due, { view: this.view, finder: this.finder })].map(keyOf);
  }

  placeOf(key: ObjectKey, nowMs = 0) {
    return this.line.placeOf(key, { view: this.view, finder: this.finder, nowMs });
  }
}

const queued = (tenant: string, workload: string, index = 0, priorityClass = "") =>
  aReplica({ tenant, workload, index, stage: "queued", priorityClass });
const serving = (tenant: string, of: { index?: number } = {}) =>
  aReplica({ tenant, workload: "old", stage: "serving", node: "a-1", ...of });
const aClass = (name: string, value: number): PriorityClass => {
  const key = priorityClassKey(name);
  return { kind: "PriorityClass", key, meta: aMeta(key), spec: { value }, status: {} };
};

const A = workloadKey("a", "w");
const B = workloadKey("b", "w");

describe("those that are due", () => {
  test("of the tenant that has least come first [QU1]", () => {
    const harness = new Harness(aNode(), queued("a", "w"), queued("b", "w"), serving("a"));
    expect(harness.order(A, B)).toEqual([B, A]);
  });

  test("count by the weight of the tenant's quota [QU1]", () => {
    const weighed = aQuota({}, "a");
    const quota = { ...weighed, spec: { ...weighed.spec, weight: 3 } };
    const there = [serving("a"), serving("a", { index: 1 }), serving("b")];
    const harness = new Harness(aNode(), quota, queued("a", "w"), queued("b", "w"), ...there);
    expect(harness.order(A, B)).toEqual([A, B]);
  });

  test("come by the priority that their class has now [QU2]", () => {
    const low = workloadKey("a", "low");
    const high = workloadKey("a", "high");
    const harness = new Harness(
      aNode(),
      aClass("x", 1),
      aClass("y", 2),
      queued("a", "low", 0, "x"),
      queued("a", "high", 0, "y"),
    );
    expect(harness.order(low, high)).toEqual([high, low]);
    harness.follow(aClass("x", 1), aClass("x", 3));
    expect(harness.order(low, high)).toEqual([low, high]);
  });
});

describe("those that wait", () => {
  test("are told their place, how many replicas are before them, and what is known of the wait", () => {
    const harness = new Harness(
      aNode(),
      queued("a", "w"),
      queued("a", "w", 1),
      queued("b", "w"),
      serving("b"),
    );
    expect(harness.placeOf(A)).toMatchObject({ position: 1, of: 2, replicasAhead: 0 });
    expect(harness.placeOf(B)).toEqual({
      position: 2,
      of: 2,
      replicasAhead: 2,
      basis: "no replica left a node in the last 1 s",
    });
  });

  test("are told an estimate once replicas have left their nodes", () => {
    const harness = new Harness(aNode(), queued("a", "w"), serving("b"));
    harness.placeOf(A, 0);
    harness.follow(serving("b"), aReplica({ tenant: "b", workload: "old", stage: "released" }));
    expect(harness.placeOf(A, 30_000)).toMatchObject({ estimateMs: 30_000 });
  });

  test("are told an interval once ten estimated waits have ended [QU5]", () => {
    const harness = new Harness(aNode(), queued("a", "w"), serving("b"));
    harness.placeOf(A, 0);
    harness.follow(serving("b"), aReplica({ tenant: "b", workload: "old", stage: "released" }));
    const none = harness.placeOf(A, 10_000);
    expect(none).toMatchObject({ estimateMs: 10_000 });
    expect(none.basis).toContain("; no interval yet: 0 of 10 estimated waits have ended");
    expect(none).not.toHaveProperty("upToMs");
    for (let at = 0; at < 10; at += 1) {
      const name = `w${at}`;
      const other = queued("b", name);
      harness.follow(undefined, other);
      harness.placeOf(workloadKey("b", name), 12_000 + 2_000 * at);
      harness.line.foundSome(workloadKey("b", name), 40_000);
      const bound = aReplica({ tenant: "b", workload: name, stage: "bound", node: "a-1" });
      harness.follow(other, bound);
    }
    const told = harness.placeOf(A, 50_000);
    expect(told.upToMs).toBeGreaterThanOrEqual(told.estimateMs!);
    expect(told.basis).toContain("; interval from 10 waits that were estimated and have ended");
  });

  test("for what no node could ever give are told that, and no estimate [QU4]", () => {
    const asks = aReplica({ tenant: "a", workload: "w", stage: "queued", cpuMillis: 8_001 });
    const harness = new Harness(aNode({ cpuMillis: 8_000 }), asks, serving("b"));
    harness.placeOf(A, 0);
    harness.follow(serving("b"), aReplica({ tenant: "b", workload: "old", stage: "released" }));
    const none = "no matching node is large enough, even when empty: waiting will not help";
    expect(harness.placeOf(A, 30_000)).toEqual({
      position: 1,
      of: 1,
      replicasAhead: 0,
      basis: none,
    });
    // A larger machine, though nothing of it is free today.
    harness.follow(aNode({ cpuMillis: 8_000 }), aNode({ cpuMillis: 9_000 }));
    expect(harness.placeOf(A, 30_000)).toMatchObject({ estimateMs: 30_000 });
  });

  test("stand as if each before them had been given what it asks for [QU1]", () => {
    const second = workloadKey("a", "x");
    const harness = new Harness(aNode(), queued("a", "w"), queued("a", "x"), queued("b", "w"));
    const places = [A, B, second].map((key) => harness.placeOf(key).position);
    expect(places).toEqual([1, 2, 3]);
  });

  test("beyond the first thousand are told that, and no more", () => {
    const many = Array.from({ length: 1_002 }, (_, at) => queued("a", `w${10_000 + at}`));
    const harness = new Harness(aNode(), ...many);
    expect(harness.placeOf(workloadKey("a", "w10999")).position).toBe(1_000);
    expect(harness.placeOf(workloadKey("a", "w11000"))).toEqual({
      of: 1_002,
      basis: "more than 1000 workloads are ahead of it",
    });
  });
});
