import { expect, test } from "vitest";
import { aMeta } from "../../../test/builders/a-meta.ts";
import { aNode } from "../../../test/builders/a-node.ts";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { aWorkload } from "../../../test/builders/a-workload.ts";
import { keyOf, workloadKey } from "../../core/model/ids.ts";
import type { AnyObject } from "../../core/model/objects.ts";
import { nodePoolKey } from "../../core/model/node/node-pool.ts";
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

test("the recovery reserve is hard room for its workload, and for no other", () => {
  const recovery = { withinMs: 60_000, replicas: 1, regions: ["west"] };
  const west = aNode({ name: "w-1", zone: "w", region: "west", cpuMillis: 700, memoryMiB: 1_000 });
  const objects = (withReserve: boolean) =>
    indexed(
      node("a-1", "a", 1_200),
      west,
      aWorkload({ cpuMillis: 600, ...(withReserve ? { recovery } : {}) }),
      aWorkload({ name: "aaa", cpuMillis: 600 }),
      on("a-1", 0),
      on("a-1", 0, { workload: "aaa" }),
    );
  const question = { lose: "region", which: "eu", counted: "hard", onlyWorkload: API } as const;
  expect(argueCapacity(objects(true), question).broken).toBe(0);
  expect(argueCapacity(objects(false), question).broken).toBe(1);
});

test("replicas that must serve in a region are counted there, whichever of them were lost", () => {
  const west = { zone: "w", region: "west", cpuMillis: 700 };
  const objects = indexed(
    node("a-1", "a", 2_000),
    aNode({ name: "w-1", ...west }),
    aNode({ name: "w-2", ...west }),
    aWorkload({ replicas: 3, cpuMillis: 600 }),
    on("a-1", 0),
    on("a-1", 1),
    on("w-1", 2),
  );
  const serves = { workload: API, replicas: 2, in: ["west"] };
  const question = { lose: "region", which: "eu", counted: "hard" } as const;
  expect(argueCapacity(objects, { ...question, serves })).toMatchObject({
    broken: 0,
    worst: { replicas: 2, placed: 2 },
  });
  expect(argueCapacity(objects, { ...question, serves: { ...serves, replicas: 3 } })).toMatchObject(
    { broken: 1, worst: { replicas: 3, placed: 2 }, binding: "CPU in zone w" },
  );
});

test("nodes that a pool may add are soft room, up to its bound", () => {
  const key = nodePoolKey("burst");
  const pool = (maxNodes: number): AnyObject => ({
    kind: "NodePool",
    key,
    meta: aMeta(key),
    spec: {
      region: "eu",
      zone: "b",
      capacity: { cpuMillis: 1_000, memoryMiB: 1_000, deviceMillis: 0 },
      provisioner: "cloud",
      maxNodes,
      pace: { nodes: 1, periodMs: 1_000 },
    },
    status: {},
  });
  const fleet = (maxNodes: number) =>
    indexed(
      node("a-1", "a", 2_000),
      pool(maxNodes),
      aWorkload({ replicas: 2, cpuMillis: 600 }),
      on("a-1", 0),
      on("a-1", 1),
    );
  const question = { lose: "zone", which: "a" } as const;
  expect(argueCapacity(fleet(2), { ...question, counted: "hard" })).toMatchObject({
    broken: 1,
    byClass:
      "hard: 0 of 2 find free or reserved room; reclaimable: 0 more by preemption; " +
      "soft: 2 more on nodes that pools may add (2 nodes)",
  });
  expect(argueCapacity(fleet(2), { ...question, counted: "soft" }).broken).toBe(0);
  expect(argueCapacity(fleet(1), { ...question, counted: "soft" })).toMatchObject({
    broken: 1,
    worst: { placed: 1 },
  });
});

test("room for more replicas is asked for beside the lost ones", () => {
  const objects = indexed(
    node("a-1", "a"),
    node("b-1", "b", 1_900),
    aWorkload({ cpuMillis: 600 }),
    on("a-1", 0),
  );
  const question = { lose: "zone", which: "a", counted: "hard" } as const;
  const spare = (count: number) => ({ ...question, spare: { workload: API, count } });
  expect(argueCapacity(objects, spare(2))).toMatchObject({ broken: 0 });
  expect(argueCapacity(objects, spare(3))).toMatchObject({
    broken: 1,
    worst: { replicas: 4, placed: 3, homeless: [] },
    binding: "CPU on node b-1",
  });
});

test("a rule about neighbours that closes a node with room binds before the room elsewhere", () => {
  const spread = [{ by: "zone", maxSkew: 1 }];
  const objects = indexed(
    node("a-1", "a"),
    node("b-1", "b", 700),
    node("c-1", "c", 2_000),
    aWorkload({ replicas: 4, cpuMillis: 600, spread }),
    on("a-1", 0, { spread }),
    on("b-1", 1, { spread }),
    on("c-1", 2, { spread }),
    on("c-1", 3, { spread }),
  );
  expect(argueCapacity(objects, { lose: "zone", which: "a", counted: "hard" }).binding).toBe(
    "spread of payments/api over zones, with CPU on node b-1",
  );
});

test("devices and labels that no node has bind by their names", () => {
  const device = { class: "gpu", models: ["a100"], count: 1, shareMillis: 1_000 };
  const pools = [{ class: "gpu", model: "a100", ids: ["g-0"] }];
  const other = [{ class: "gpu", model: "t4", ids: ["g-0"] }];
  const objects = indexed(
    aNode({ name: "a-1", zone: "a", pools, labels: { disk: "ssd" } }),
    aNode({ name: "b-1", zone: "b", pools: other }),
    aWorkload({ device }),
    aWorkload({ name: "db", nodeSelector: { disk: "ssd" } }),
    aReplica({ node: "a-1", stage: "serving", device, deviceIds: ["g-0"] }),
    aReplica({ node: "a-1", workload: "db", stage: "serving", nodeSelector: { disk: "ssd" } }),
  );
  const question = { lose: "zone", which: "a", counted: "hard" } as const;
  const binding = (name: string) =>
    argueCapacity(objects, { ...question, onlyWorkload: workloadKey("payments", name) }).binding;
  expect(binding("api")).toBe("device model a100 on no node that is left");
  expect(binding("db")).toBe("node label disk=ssd");
});
