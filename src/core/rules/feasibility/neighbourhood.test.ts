import { describe, expect, test } from "vitest";
import { aNode } from "../../../../test/builders/a-node.ts";
import { aReplica, type ReplicaParts } from "../../../../test/builders/a-replica.ts";
import type { Affinity, AffinityTerm, AnyObject, Labels, Replica } from "../../model/objects.ts";
import { ObjectIndex } from "../../observe/object-index.ts";
import { Neighbours, type Placed } from "../../observe/neighbours.ts";
import { NODES_FACT } from "../../observe/facts.ts";
import { NEIGHBOUR_RULES, neighbourMisfit } from "./feasibility.ts";
import { Neighbourhood } from "./neighbourhood.ts";

const NODES = [
  aNode({ name: "a-1", zone: "eu-a", labels: { rack: "1" } }),
  aNode({ name: "a-2", zone: "eu-a", labels: { rack: "2" } }),
  aNode({ name: "b-1", zone: "eu-b" }),
  aNode({ name: "b-2", zone: "eu-b" }),
];

const apart = (...antiRequired: AffinityTerm[]): Affinity => ({
  required: [],
  preferred: [],
  antiRequired,
  antiPreferred: [],
});

function replica(labels: Labels, of: ReplicaParts = {}): Replica {
  const made = aReplica(of);
  return { ...made, meta: { ...made.meta, labels } };
}

const on = (node: string, labels: Labels, of: ReplicaParts = {}): Replica =>
  replica(labels, { workload: "other", stage: "serving", node, ...of });

function indexOf(...objects: readonly AnyObject[]): ObjectIndex {
  const index = new ObjectIndex();
  for (const after of [...NODES, ...objects]) {
    index.fold({ key: after.key, before: undefined, after });
  }
  return index;
}

/** The nodes that may take the newcomer, by name. */
function open(newcomer: Replica, there: readonly Replica[], index = indexOf(...there)): string[] {
  const neighbours = new Neighbourhood(index.neighbours);
  return [...index.all("Node").values()]
    .filter((node) => neighbourMisfit(node, newcomer, neighbours) === undefined)
    .map(({ meta }) => meta.name);
}

describe("required anti-affinity", () => {
  const db = { app: "db" };

  test("keeps a replica out of the places of those it names [BD13]", () => {
    const byZone = replica({}, { affinity: apart({ by: "zone", labels: db }) });
    expect(open(byZone, [on("a-1", db)])).toEqual(["b-1", "b-2"]);
    const byNode = replica({}, { affinity: apart({ by: "node", labels: db }) });
    expect(open(byNode, [on("a-1", db)])).toEqual(["a-2", "b-1", "b-2"]);
    expect(open(byNode, [on("a-1", { app: "web" })])).toHaveLength(4);
  });

  test("holds the other way round: who is there may keep the newcomer away [BD13]", () => {
    const guard = on("a-1", {}, { affinity: apart({ by: "zone", labels: db }) });
    expect(open(replica(db), [guard])).toEqual(["b-1", "b-2"]);
    expect(open(replica({ app: "web" }), [guard])).toHaveLength(4);
  });

  test("by a label knows no place where the label is not there [BD13]", () => {
    const byRack = replica(db, { affinity: apart({ by: "rack", labels: db }) });
    expect(open(byRack, [on("a-1", db)])).toEqual(["a-2", "b-1", "b-2"]);
    expect(open(byRack, [on("b-1", db)])).toHaveLength(4);
  });

  test("means the tenant's own replicas unless it names others [BD13]", () => {
    const foreign = on("a-1", db, { tenant: "web" });
    const own = replica({}, { affinity: apart({ by: "zone", labels: db }) });
    expect(open(own, [foreign])).toHaveLength(4);
    const abroad = { by: "zone", labels: db, tenants: ["web"] };
    expect(open(replica({}, { affinity: apart(abroad) }), [foreign])).toEqual(["b-1", "b-2"]);
    const guard = on("a-1", {}, { tenant: "web", affinity: apart({ by: "zone", labels: db }) });
    expect(open(replica(db), [guard])).toHaveLength(4);
  });

  test("ends when the other leaves, and moves with its node [BD13]", () => {
    const newcomer = replica({}, { affinity: apart({ by: "zone", labels: db }) });
    const there = on("a-1", db);
    const index = indexOf(there);
    expect(open(newcomer, [], index)).toEqual(["b-1", "b-2"]);
    const moved = aNode({ name: "a-1", zone: "eu-b", labels: { rack: "1" } });
    index.fold({ key: moved.key, before: undefined, after: moved });
    expect(open(newcomer, [], index)).toEqual(["a-2"]);
    index.fold({ key: there.key, before: there, after: undefined });
    expect(open(newcomer, [], index)).toHaveLength(4);
  });

  test("says who minds and where [BD13]", () => {
    const newcomer = replica({}, { affinity: apart({ by: "zone", labels: { ...db, tier: "1" } }) });
    const index = indexOf(on("a-1", { ...db, tier: "1" }));
    const neighbours = new Neighbourhood(index.neighbours);
    expect(neighbourMisfit(NODES[1]!, newcomer, neighbours)).toEqual({
      code: "kept-apart",
      node: "Node//a-2",
      what: "zone",
      expected: "none with app=db,tier=1",
      actual: "1",
    });
  });
});

describe("a workload's cap per node", () => {
  test("counts replicas of the same workload and generation [BD12]", () => {
    const newcomer = replica({}, { maxPerNode: 2 });
    const sibling = (index: number, node: string): Replica =>
      replica({}, { index, stage: "serving", node });
    const there = [sibling(1, "a-1"), sibling(2, "a-1"), sibling(3, "a-2")];
    expect(open(newcomer, there)).toEqual(["a-2", "b-1", "b-2"]);
    const older = replica({}, { index: 4, generation: 2, stage: "serving", node: "b-1" });
    const namesakes = [on("b-1", {}), on("b-1", {}, { index: 1 }), older];
    expect(open(newcomer, namesakes)).toHaveLength(4);
  });
});

test("a fixed port keeps replicas of all workloads and generations away that have it, too [BD90]", () => {
  const newcomer = replica({}, { fixedPorts: { http: 8080, admin: 9090 } });
  const there = [
    on("a-1", {}, { workload: "other", fixedPorts: { web: 9090 } }),
    replica(
      {},
      { index: 1, generation: 2, fixedPorts: { http: 8080 }, stage: "bound", node: "a-2" },
    ),
    on("b-1", {}, { index: 2, fixedPorts: { http: 8081 } }),
    on("b-2", {}, { index: 3 }),
  ];
  expect(open(newcomer, there)).toEqual(["b-1", "b-2"]);
  expect(open(replica({}, {}), there)).toHaveLength(4);
});

test("earlier bindings of the same command count like those already there [BD12] [BD13]", () => {
  const index = indexOf();
  const earlier: Placed[] = [];
  const added = new Neighbours({
    node: (name) => NODES.find(({ meta }) => meta.name === name),
    placed: () => earlier,
  });
  const neighbours = new Neighbourhood(index.neighbours, added);
  const first = replica({}, { index: 1, maxPerNode: 1 });
  const next = replica({}, { maxPerNode: 1 });
  expect(neighbourMisfit(NODES[0]!, next, neighbours)).toBeUndefined();
  earlier.push({ replica: first, node: "a-1" });
  added.note(first, "a-1", 1);
  expect(neighbourMisfit(NODES[0]!, next, neighbours)).toMatchObject({
    code: "too-many-on-node",
    actual: 1,
  });
});

test("every neighbour rule names the facts after which it is worth another look [RN6]", () => {
  for (const { wakes } of NEIGHBOUR_RULES) expect(wakes).toContain(NODES_FACT);
});
