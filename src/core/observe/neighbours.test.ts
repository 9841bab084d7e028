import { expect, test } from "vitest";
import { aNode } from "../../../test/builders/a-node.ts";
import { aReplica, type ReplicaParts } from "../../../test/builders/a-replica.ts";
import { type Uid, workloadKey } from "../model/ids.ts";
import type { Affinity, Labels, Node, Replica } from "../model/objects.ts";
import { matches, nameOf, Neighbours, type Placed, type Selector } from "./neighbours.ts";

const NODES: readonly Node[] = [
  aNode({ name: "a-1", zone: "eu-a", labels: { rack: "r1" } }),
  aNode({ name: "a-2", zone: "eu-a" }),
  aNode({ name: "b-1", zone: "eu-b", labels: { rack: "r2" } }),
];

function neighboursOf(placed: readonly Placed[] = []): Neighbours {
  return new Neighbours({
    node: (name) => NODES.find(({ meta }) => meta.name === name),
    placed: () => placed,
  });
}

function labelled(labels: Labels, of: ReplicaParts = {}): Replica {
  const replica = aReplica(of);
  return { ...replica, meta: { ...replica.meta, labels } };
}

const siblings = (by: string, workload = "api", generation = 1): Selector => ({
  by,
  of: {
    kind: "siblings",
    workload: workloadKey("payments", workload),
    workloadUid: `uid-of-Workload/payments/${workload}` as Uid,
    generation,
  },
});

const withLabels = (by: string, labels: Labels, tenants = ["payments"]): Selector => ({
  by,
  of: { kind: "labels", tenants, labels },
});

const entries = (counts: ReadonlyMap<string, number>): Record<string, number> =>
  Object.fromEntries(counts);

test("replicas are counted by place when a selector is first asked for", () => {
  const placed = [
    { replica: aReplica({ index: 0 }), node: "a-1" },
    { replica: aReplica({ index: 1 }), node: "a-2" },
    { replica: aReplica({ index: 2 }), node: "b-1" },
    { replica: aReplica({ index: 3, generation: 2 }), node: "b-1" },
    { replica: aReplica({ workload: "other" }), node: "b-1" },
    { replica: aReplica({ index: 4 }), node: "nobody-knows-it" },
  ];
  const neighbours = neighboursOf(placed);
  expect(entries(neighbours.counts(siblings("zone")))).toEqual({ "eu-a": 2, "eu-b": 1 });
  expect(entries(neighbours.counts(siblings("node")))).toEqual({ "a-1": 1, "a-2": 1, "b-1": 1 });
  // A node without the label is in no place of that kind.
  expect(entries(neighbours.counts(siblings("rack")))).toEqual({ r1: 1, r2: 1 });
});

test("counts follow the replicas that take and leave nodes, and forget places without any", () => {
  const neighbours = neighboursOf();
  const zones = neighbours.counts(siblings("zone"));
  const fronts = neighbours.counts(withLabels("zone", { tier: "front" }));
  neighbours.note(aReplica({ index: 0 }), "a-1", 1);
  neighbours.note(labelled({ tier: "front" }, { workload: "web" }), "b-1", 1);
  neighbours.note(labelled({ tier: "front" }, { workload: "web", tenant: "shop" }), "b-1", 1);
  expect([entries(zones), entries(fronts)]).toEqual([{ "eu-a": 1 }, { "eu-b": 1 }]);
  neighbours.note(aReplica({ index: 0 }), "a-1", -1);
  expect([...zones.keys()]).toEqual([]);
});

test("two ways to write the same selector are one, and what differs is another", () => {
  const one = withLabels("zone", { a: "1", b: "2" }, ["x", "y"]);
  const same = withLabels("zone", { b: "2", a: "1" }, ["y", "x"]);
  expect(nameOf(one)).toBe(nameOf(same));
  expect(nameOf(one)).not.toBe(nameOf(withLabels("zone", { a: "1" }, ["x", "y"])));
  expect(nameOf(one)).not.toBe(nameOf(withLabels("node", { a: "1", b: "2" }, ["x", "y"])));
  expect(nameOf(siblings("zone"))).not.toBe(nameOf(siblings("zone", "api", 2)));
});

test("a selector by labels means replicas of its tenants that have them all", () => {
  const selector = withLabels("zone", { app: "db", tier: "back" });
  expect(matches(selector, labelled({ app: "db", tier: "back", more: "yes" }))).toBe(true);
  expect(matches(selector, labelled({ app: "db" }))).toBe(false);
  expect(matches(selector, labelled({ app: "db", tier: "back" }, { tenant: "shop" }))).toBe(false);
  expect(matches(withLabels("zone", {}), labelled({}))).toBe(true);
});

const keepingAway = (labels: Labels, tenants?: readonly string[]): Affinity => ({
  required: [],
  preferred: [],
  antiRequired: [{ by: "zone", labels, ...(tenants === undefined ? {} : { tenants }) }],
  antiPreferred: [],
});

test("those who keep others away are counted where they are, and only against those they mean", () => {
  const neighbours = neighboursOf();
  expect(neighbours.hasGuards).toBe(false);
  const guard = aReplica({ workload: "quiet", affinity: keepingAway({ loud: "yes" }) });
  neighbours.note(guard, "a-1", 1);
  expect(neighbours.hasGuards).toBe(true);
  const against = (replica: Replica) =>
    [...neighbours.guardsAgainst(replica)].map(({ by, counts }) => [by, entries(counts)]);
  expect(against(labelled({ loud: "yes" }))).toEqual([["zone", { "eu-a": 1 }]]);
  expect(against(labelled({}))).toEqual([]);
  expect(against(labelled({ loud: "yes" }, { tenant: "shop" }))).toEqual([]);
  neighbours.note(guard, "a-1", -1);
  expect(against(labelled({ loud: "yes" }))).toEqual([["zone", {}]]);
});

test("a new way of keeping others away is told by the version, another replica with the same is not", () => {
  const neighbours = neighboursOf();
  const affinity = keepingAway({ loud: "yes" });
  neighbours.note(aReplica({ index: 0, affinity }), "a-1", 1);
  const before = neighbours.guardsVersion;
  neighbours.note(aReplica({ index: 1, affinity }), "b-1", 1);
  expect(neighbours.guardsVersion).toBe(before);
  const others = keepingAway({ loud: "yes" }, ["shop"]);
  neighbours.note(aReplica({ index: 2, affinity: others }), "b-1", 1);
  expect(neighbours.guardsVersion).toBeGreaterThan(before);
});

test("after nodes moved everything is counted anew", () => {
  const placed: Placed[] = [{ replica: aReplica(), node: "a-1" }];
  const neighbours = neighboursOf(placed);
  const before = neighbours.counts(siblings("zone"));
  expect(entries(before)).toEqual({ "eu-a": 1 });
  placed[0] = { replica: aReplica({ affinity: keepingAway({}) }), node: "b-1" };
  neighbours.relabelled(placed);
  expect(entries(neighbours.counts(siblings("zone")))).toEqual({ "eu-b": 1 });
  expect([...neighbours.guardsAgainst(labelled({}))]).toHaveLength(1);
});

test("counts that are kept no longer say so, and are right again when they are asked for again", () => {
  const placed: Placed[] = [];
  const neighbours = neighboursOf(placed);
  const first = neighbours.counts(siblings("zone", "first"));
  const used = neighbours.counts(siblings("zone", "used"));
  for (let at = 0; at < 4_096; at += 1) {
    neighbours.counts(siblings("zone", `other-${at}`));
    if (at === 4_000) neighbours.counts(siblings("zone", "used"));
  }
  // The one longest unused had to go; the other is still live.
  expect([neighbours.isKept(first), neighbours.isKept(used)]).toEqual([false, true]);
  const replica = aReplica({ workload: "first" });
  neighbours.note(replica, "a-1", 1);
  placed.push({ replica, node: "a-1" });
  expect(entries(neighbours.counts(siblings("zone", "first")))).toEqual({ "eu-a": 1 });
});

const has = (workload: string, port: number): Replica =>
  aReplica({ workload, fixedPorts: { http: port } });

test("replicas with a fixed port are counted under its number, of whatever workload [BD90]", () => {
  const on8080: Selector = { by: "node", of: { kind: "port", port: 8080 } };
  const neighbours = neighboursOf([
    { replica: has("api", 8080), node: "a-1" },
    { replica: has("web", 8080), node: "a-2" },
    { replica: has("web", 9090), node: "b-1" },
    { replica: aReplica(), node: "b-1" },
  ]);
  const counts = neighbours.counts(on8080);
  expect(entries(counts)).toEqual({ "a-1": 1, "a-2": 1 });
  neighbours.note(has("api", 8080), "a-1", -1);
  neighbours.note(has("other", 8080), "b-1", 1);
  neighbours.note(has("other", 9090), "a-1", 1);
  expect(entries(counts)).toEqual({ "a-2": 1, "b-1": 1 });
  expect(nameOf(on8080)).not.toBe(nameOf({ by: "node", of: { kind: "port", port: 9090 } }));
});
