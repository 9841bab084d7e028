import { expect, test } from "vitest";
import { aMeta } from "../../../test/builders/a-meta.ts";
import { aNode } from "../../../test/builders/a-node.ts";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { aWorkload } from "../../../test/builders/a-workload.ts";
import { keyOf, workloadKey } from "../../core/model/ids.ts";
import type { AnyObject } from "../../core/model/objects.ts";
import { ObjectIndex } from "../../core/observe/object-index.ts";
import { argueCapacity } from "./argue-capacity.ts";

function indexed(...objects: readonly AnyObject[]): ObjectIndex {
  const index = new ObjectIndex();
  for (const after of objects) index.fold({ key: after.key, before: undefined, after });
  return index;
}

const on = (node: string, index: number, parts: Parameters<typeof aReplica>[0] = {}) =>
  aReplica({ node, index, stage: "serving", cpuMillis: 600, memoryMiB: 100, ...parts });

const API = workloadKey("payments", "api");

const node = (name: string, zone: string, cpuMillis = 1_000) =>
  aNode({ name, zone, region: "eu", cpuMillis, memoryMiB: 1_000 });

function aClass(name: string, value: number): AnyObject {
  const key = keyOf({ kind: "PriorityClass", namespace: "", name });
  return { kind: "PriorityClass", key, meta: aMeta(key), spec: { value }, status: {} };
}

test("a fleet with room in other zones holds, and says how much is left", () => {
  const objects = indexed(
    node("a-1", "a"),
    node("b-1", "b", 2_000),
    node("c-1", "c", 2_000),
    aWorkload({ replicas: 2, cpuMillis: 600 }),
    on("a-1", 0),
    on("b-1", 1),
  );
  const argument = argueCapacity(objects, { lose: "zone", counted: "hard" });
  expect(argument).toMatchObject({
    searched: "proved for all 3 zones",
    isProved: true,
    failures: 3,
    broken: 0,
    headroom: "room for 2 more payments/api after the loss of b",
    binding: "CPU in zones a and c",
  });
});

test("the worst failure, its homeless and what binds first are named", () => {
  const objects = indexed(
    node("a-1", "a"),
    node("b-1", "b"),
    aWorkload({ replicas: 2, cpuMillis: 600 }),
    on("a-1", 0),
    on("b-1", 1),
  );
  expect(argueCapacity(objects, { lose: "zone", counted: "hard" })).toMatchObject({
    broken: 2,
    worst: {
      lost: ["a"],
      replicas: 1,
      placed: 0,
      homeless: [{ workload: "payments/api", count: 1 }],
    },
    binding: "CPU on node b-1",
    byClass:
      "hard: 0 of 1 find free or reserved room; reclaimable: 0 more by preemption; " +
      "soft: 0 more on nodes that pools may add",
  });
});

test("what preemption frees counts for reclaimable capacity alone, and whom it costs is told", () => {
  const objects = indexed(
    aClass("high", 10),
    node("a-1", "a"),
    node("b-1", "b"),
    aWorkload({ cpuMillis: 600, priorityClass: "high" }),
    aWorkload({ name: "batch", cpuMillis: 600 }),
    on("a-1", 0, { priorityClass: "high" }),
    on("b-1", 0, { workload: "batch" }),
  );
  const question = { lose: "zone", which: "a", onlyWorkload: API } as const;
  expect(argueCapacity(objects, { ...question, counted: "hard" })).toMatchObject({
    broken: 1,
    byClass:
      "hard: 0 of 1 find free or reserved room; " +
      "reclaimable: 1 more by preemption that preempts 1 replica; " +
      "soft: 0 more on nodes that pools may add",
  });
  expect(argueCapacity(objects, { ...question, counted: "reclaimable" })).toMatchObject({
    broken: 0,
  });
  // Of all that must find a place, the one that was preempted has none.
  expect(
    argueCapacity(objects, { lose: "zone", which: "a", counted: "reclaimable" }),
  ).toMatchObject({
    broken: 1,
    worst: { replicas: 2, placed: 1, homeless: [{ workload: "payments/batch", count: 1 }] },
  });
});
