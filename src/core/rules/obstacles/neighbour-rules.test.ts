import { describe, expect, test } from "vitest";
import { aNode } from "../../../../test/builders/a-node.ts";
import { aReplica, type ReplicaParts } from "../../../../test/builders/a-replica.ts";
import type { Affinity, Labels, Replica } from "../../model/objects.ts";
import { Neighbours, type Placed } from "../../observe/neighbours.ts";
import { type NeighbourRule, neighbourRules } from "./neighbour-rules.ts";

const ZONES = ["za", "zb"];

function labelled(labels: Labels, of: ReplicaParts = {}): Replica {
  const replica = aReplica(of);
  return { ...replica, meta: { ...replica.meta, labels } };
}

/** The rules for a replica beside these, each on a node named after its zone. */
function rulesFor(replica: Replica, placed: readonly Placed[] = []): readonly NeighbourRule[] {
  const neighbours = new Neighbours({
    node: (zone) => (ZONES.includes(zone) ? aNode({ name: zone, zone }) : undefined),
    placed: () => placed,
  });
  neighbours.relabelled(placed);
  return neighbourRules(replica, neighbours, replica.spec.template.spread);
}

const sitting = (node: string, replica: Replica): Placed => ({ replica, node });

const siblingsIn = (...zones: readonly string[]): readonly Placed[] =>
  zones.map((zone, index) => sitting(zone, aReplica({ index })));

const affinity = (of: Partial<Affinity>): Affinity => ({
  required: [],
  preferred: [],
  antiRequired: [],
  antiPreferred: [],
  ...of,
});

test("a replica without affinity has no rules", () => {
  expect(rulesFor(aReplica(), siblingsIn("za", "za"))).toEqual([]);
});

describe("spreading", () => {
  const spread = [{ by: "zone", maxSkew: 1 }];
  const [rule] = rulesFor(aReplica({ spread, index: 9 }), siblingsIn("za", "za", "zb"));

  test("forbids places that would be too far ahead of the emptiest, and those that are no place", () => {
    expect(rule).toMatchObject({ name: "spread", by: "zone", looksAt: "fewest" });
    expect([rule?.forbids("za", 1), rule?.forbids("zb", 1)]).toEqual([true, false]);
    expect(rule?.forbids(undefined, 1)).toBe(true);
  });

  test("costs points for each replica that a place is ahead", () => {
    expect([rule?.points("za", 1), rule?.points("zb", 1)]).toEqual([-100, 0]);
  });

  test("that is only preferred forbids nothing and costs the same", () => {
    const soft = [{ by: "zone", maxSkew: 1, soft: true }];
    const [gentle] = rulesFor(aReplica({ spread: soft, index: 9 }), siblingsIn("za", "za"));
    expect([gentle?.forbids("za", 0), gentle?.forbids(undefined, 0)]).toEqual([false, false]);
    expect([gentle?.points("za", 0), gentle?.points(undefined, 0)]).toEqual([-200, 0]);
  });
});

test("a cap counts siblings on one node and costs no points", () => {
  const [rule] = rulesFor(aReplica({ maxPerNode: 2, index: 9 }), siblingsIn("za", "za", "zb"));
  expect(rule).toMatchObject({ name: "max-per-node", by: "node" });
  expect([rule?.forbids("za", 0), rule?.forbids("zb", 0)]).toEqual([true, false]);
  expect(rule?.points("za", 0)).toBe(0);
});

describe("being near", () => {
  const near = affinity({ required: [{ by: "zone", labels: { app: "db" } }] });
  const db = labelled({ app: "db" }, { workload: "db" });

  test("allows only places where one of those sought is", () => {
    const [rule] = rulesFor(aReplica({ affinity: near }), [sitting("za", db)]);
    expect([rule?.forbids("za", 0), rule?.forbids("zb", 0)]).toEqual([false, true]);
    expect(rule?.forbids(undefined, 0)).toBe(true);
  });

  test("lets the first of its kind begin a place, when it is itself what is sought", () => {
    const [own] = rulesFor(labelled({ app: "db" }, { affinity: near }));
    expect([own?.forbids("za", 0), own?.forbids(undefined, 0)]).toEqual([false, true]);
    expect(own?.looksAt).toBe("whether-any");
    const [other] = rulesFor(labelled({ app: "web" }, { affinity: near }));
    expect(other?.forbids("za", 0)).toBe(true);
    const foreign = affinity({
      required: [{ by: "zone", labels: { app: "db" }, tenants: ["shop"] }],
    });
    const [notOwn] = rulesFor(labelled({ app: "db" }, { affinity: foreign }));
    expect(notOwn?.forbids("za", 0)).toBe(true);
  });

  test("that is only preferred gives ten points for each of its weight", () => {
    const term = { by: "zone", labels: { app: "db" }, weight: 30 };
    const both = affinity({ preferred: [term], antiPreferred: [{ ...term, weight: 5 }] });
    const rules = rulesFor(aReplica({ affinity: both }), [sitting("za", db)]);
    expect(rules.map((rule) => rule.points("za", 0))).toEqual([300, -50]);
    expect(rules.map((rule) => rule.points("zb", 0))).toEqual([0, 0]);
    expect(rules.some((rule) => rule.forbids("za", 0))).toBe(false);
  });
});

describe("keeping apart", () => {
  const apart = affinity({ antiRequired: [{ by: "zone", labels: { app: "db" } }] });
  const db = labelled({ app: "db" }, { workload: "db" });

  test("forbids places with one of those to be kept away from", () => {
    const [rule] = rulesFor(aReplica({ affinity: apart }), [sitting("za", db)]);
    expect(rule?.name).toBe("anti-affinity");
    expect(["za", "zb", undefined].map((zone) => rule?.forbids(zone, 0))).toEqual([
      true,
      false,
      false,
    ]);
  });

  test("works the other way round, too: a replica on the node may forbid the newcomer", () => {
    const guard = aReplica({ workload: "quiet", affinity: apart });
    const [rule] = rulesFor(db, [sitting("zb", guard)]);
    expect(["za", "zb"].map((zone) => rule?.forbids(zone, 0))).toEqual([false, true]);
    expect(rulesFor(labelled({ app: "web" }), [sitting("zb", guard)])).toEqual([]);
  });
});

test("a fixed port forbids the nodes where a replica has it [BD90]", () => {
  const fixedPorts = { http: 8080 };
  const there = [sitting("za", aReplica({ workload: "other", fixedPorts }))];
  const [rule] = rulesFor(aReplica({ fixedPorts, index: 9 }), there);
  expect(rule).toMatchObject({
    name: "fixed-port",
    by: "node",
    port: { name: "http", port: 8080 },
  });
  expect([rule?.forbids("za", 0), rule?.forbids("zb", 0)]).toEqual([true, false]);
});
