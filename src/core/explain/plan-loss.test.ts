import { expect, test } from "vitest";
import { aMeta } from "../../../test/builders/a-meta.ts";
import { aNode } from "../../../test/builders/a-node.ts";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { aWorkload } from "../../../test/builders/a-workload.ts";
import { keyOf } from "../model/ids.ts";
import type { AnyObject } from "../model/objects.ts";
import { ObjectIndex } from "../observe/object-index.ts";
import { LossPlanner } from "./plan-loss.ts";

function indexed(...objects: readonly AnyObject[]): ObjectIndex {
  const index = new ObjectIndex();
  for (const after of objects) index.fold({ key: after.key, before: undefined, after });
  return index;
}

const on = (node: string, index: number, parts: Parameters<typeof aReplica>[0] = {}) =>
  aReplica({ node, index, stage: "serving", cpuMillis: 600, ...parts });

const FLEET = [
  aNode({ name: "a-1", zone: "eu-a", cpuMillis: 1_000 }),
  aNode({ name: "a-2", zone: "eu-a", cpuMillis: 1_000 }),
  aNode({ name: "b-1", zone: "eu-b", cpuMillis: 1_300 }),
  aWorkload({ replicas: 3, cpuMillis: 600 }),
];

test("replicas of the lost nodes are placed on the others while there is room, and counted else", () => {
  const planner = new LossPlanner(indexed(...FLEET, on("a-1", 0), on("a-2", 1), on("b-1", 2)));
  expect(planner.plan(["a-1"])).toMatchObject({ lost: 1, placed: 1, homeless: [] });
  const zone = planner.plan(["a-1", "a-2"]);
  expect(zone).toMatchObject({ lost: 2, placed: 1 });
  expect(zone.homeless).toMatchObject([
    { workload: "Workload/payments/api", count: 1, rejected: { capacity: { count: 1 } } },
  ]);
});

test("each loss is planned on the fleet as it is, whatever was planned before", () => {
  const planner = new LossPlanner(indexed(...FLEET, on("a-1", 0), on("a-2", 1), on("b-1", 2)));
  const first = planner.plan(["a-1", "a-2"]);
  planner.plan(["b-1"]);
  expect(planner.plan(["a-1", "a-2"])).toEqual(first);
});

test("the most important replica gets the last place", () => {
  const key = keyOf({ kind: "PriorityClass", namespace: "", name: "high" });
  const high: AnyObject = {
    kind: "PriorityClass",
    key,
    meta: aMeta(key),
    spec: { value: 10 },
    status: {},
  };
  const planner = new LossPlanner(
    indexed(
      ...FLEET,
      high,
      aWorkload({ name: "vip", cpuMillis: 600 }),
      on("a-1", 0),
      on("a-2", 0, { workload: "vip", priorityClass: "high" }),
      on("b-1", 1),
    ),
  );
  expect(planner.plan(["a-1", "a-2"]).homeless).toMatchObject([
    { workload: "Workload/payments/api", count: 1 },
  ]);
});

test("a replica that belongs to its node ends with it and frees nothing else", () => {
  const planner = new LossPlanner(
    indexed(...FLEET, on("a-1", 0), on("a-1", 1, { cpuMillis: 100 })),
    ({ spec }) => spec.index !== 1,
  );
  expect(planner.plan(["a-1"])).toMatchObject({ lost: 1, placed: 1, homeless: [] });
});
