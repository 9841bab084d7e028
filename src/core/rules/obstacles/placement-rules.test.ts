import { describe, expect, test } from "vitest";
import { aNode } from "../../../../test/builders/a-node.ts";
import { aReplica } from "../../../../test/builders/a-replica.ts";
import { FEASIBILITY_RULES, NEIGHBOUR_RULES } from "../feasibility/feasibility.ts";
import { ObjectIndex } from "../../observe/object-index.ts";
import { emptyNodeUse } from "../../observe/usage.ts";
import { surroundingsOf } from "./obstacles.ts";
import { PLACEMENT_RULES, wakesOf } from "./placement-rules.ts";

const replica = aReplica({
  affinity: {
    required: [{ by: "zone", labels: { app: "db" } }],
    preferred: [],
    antiRequired: [],
    antiPreferred: [],
  },
});

test.each([
  ["taints", aNode({ taints: [{ key: "gpu", value: "yes", effect: "no-schedule" }] }), "tolerate"],
  ["capacity", aNode({ cpuMillis: 100_000 }), "free"],
  ["schedulable", aNode({ cordons: [{ holder: "ana", reason: "" }] }), "uncordon"],
  ["node-selector", aNode(), "drop-label"],
  ["allowed-location", aNode({ region: "us" }), "allow-region"],
])("a what-if for %s is in the same entry as its wake-ups [EX1] [EX2]", (name, node, kind) => {
  const asked = aReplica({ cpuMillis: 50, nodeSelector: { disk: "ssd" }, regions: ["eu"] });
  const use = { ...emptyNodeUse(), cpuMillis: 100_000 };
  const objects = new ObjectIndex();
  const around = surroundingsOf(asked, { objects, quotas: objects, nodes: [node] });
  const rule = PLACEMENT_RULES.find((each) => each.name === name);
  const obstacles = rule?.obstacles({ node, use, replica: asked }, around) ?? [];
  expect(obstacles.map(({ remedy }) => remedy?.kind)).toEqual([kind]);
});

describe("the rules that reject nodes", () => {
  test("have one name each, and those that the authority checks, too, are among them", () => {
    const names = PLACEMENT_RULES.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { name } of [...FEASIBILITY_RULES, ...NEIGHBOUR_RULES])
      expect(names).toContain(name);
  });

  test.each([
    ["capacity", ["nodes"]],
    ["taints", ["nodes"]],
    ["max-per-node", ["nodes"]],
    ["fixed-port", ["nodes"]],
    ["kept-for-another", ["nodes"]],
    ["override", ["nodes"]],
    ["region-partitioned", ["budgets"]],
    ["recovery-budget", ["budgets"]],
    ["spread", ["siblings:payments/api"]],
    ["affinity", ["near:payments/app=db"]],
    ["region-quota", ["quota:payments"]],
  ])("a wait for %s is ended by its own facts [RN6]", (name, facts) => {
    expect(wakesOf(replica, [name])).toEqual(facts);
  });
});

test("a wait for several rules names each fact once, in one order whatever the order of the rules", () => {
  const facts = ["nodes", "budgets", "siblings:payments/api", "quota:payments"];
  const names = ["region-quota", "spread", "recovery-budget", "taints", "capacity"];
  expect(wakesOf(replica, names)).toEqual(facts);
  expect(wakesOf(replica, names.toReversed())).toEqual(facts);
});
