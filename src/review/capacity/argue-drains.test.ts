import { expect, test } from "vitest";
import { aNode } from "../../../test/builders/a-node.ts";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { aWorkload } from "../../../test/builders/a-workload.ts";
import type { AnyObject } from "../../core/model/objects.ts";
import { ObjectIndex } from "../../core/observe/object-index.ts";
import { LossPlanner } from "../../core/explain/plan-loss.ts";
import { argueDrains } from "./argue-drains.ts";

function drains(...objects: readonly AnyObject[]) {
  const index = new ObjectIndex();
  for (const after of objects) index.fold({ key: after.key, before: undefined, after });
  return argueDrains(new LossPlanner(index));
}

const on = (node: string, index: number, parts: Parameters<typeof aReplica>[0] = {}) =>
  aReplica({ node, index, stage: "serving", cpuMillis: 400, memoryMiB: 10, ...parts });

const api = { cpuMillis: 400, memoryMiB: 10 };

test("a drain ends where replicas go one after the other and serve again elsewhere", () => {
  const found = drains(
    aNode(),
    aNode({ name: "a-2", cpuMillis: 2_000 }),
    aWorkload({ replicas: 2, ...api, disruption: { maxUnavailable: 1 } }),
    on("a-1", 0),
    on("a-1", 1),
  );
  expect(found).toEqual({ drains: 2, stuck: [] });
});

test("a budget of nothing holds its node for ever", () => {
  const { stuck } = drains(
    aNode(),
    aNode({ name: "a-2", cpuMillis: 2_000 }),
    aWorkload({ replicas: 1, ...api, disruption: { maxUnavailable: 0 } }),
    on("a-1", 0),
  );
  expect(stuck).toEqual([
    {
      node: "a-1",
      blocked: [{ workload: "payments/api", count: 1, because: "its disruption budget is 0" }],
    },
  ]);
});

test("one that left without finding a place holds those that wait for it", () => {
  const { stuck } = drains(
    aNode(),
    aNode({ name: "a-2", cpuMillis: 300 }),
    aWorkload({ replicas: 2, ...api, disruption: { maxUnavailable: 1 } }),
    on("a-1", 0),
    on("a-1", 1),
  );
  expect(stuck).toEqual([
    {
      node: "a-1",
      blocked: [
        {
          workload: "payments/api",
          count: 1,
          because: "another replica of it left and found no place: CPU on node a-2",
        },
      ],
    },
  ]);
});
