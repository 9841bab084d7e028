import { expect, it } from "vitest";
import { aNode } from "../../test/builders/a-node.ts";
import { aReplica } from "../../test/builders/a-replica.ts";
import type { AnyObject } from "../core/model/objects.ts";
import { pointsOf } from "./points-of.ts";

const points = (before: AnyObject | undefined, after: AnyObject) =>
  pointsOf({ changes: [{ key: after.key, before, after }] });

const failed = (failures: number) => aReplica({ stage: "failed", failures });
const starting = (failures: number) => aReplica({ stage: "starting", failures });

it("marks the commit that fences a node, and no later one about it", () => {
  const [silent, fenced] = [aNode({ health: "unknown" }), aNode({ health: "fenced" })];
  expect(points(silent, fenced)).toEqual([
    "Node//a-1: a-1 was fenced: its lease ended, and the plane treats its processes as gone.",
  ]);
  expect(points(fenced, fenced)).toEqual([]);
  expect(points(fenced, aNode())).toEqual([]);
});

it("marks the failure that makes a crash loop, and none after it", () => {
  expect(points(starting(0), failed(1))).toEqual([]);
  expect(points(starting(1), failed(2))).toEqual([
    "Workload/payments/api: api.1.0 has failed 2 times in a row.",
  ]);
  expect(points(starting(2), failed(3))).toEqual([]);
});
