import { describe, expect, test } from "vitest";
import { aReplica } from "../../../../test/builders/a-replica.ts";
import { FEASIBILITY_RULES, NEIGHBOUR_RULES } from "../../rules/feasibility/feasibility.ts";
import { PLACEMENT_RULES, wakesOf } from "./placement-rules.ts";

const replica = aReplica({
  affinity: {
    required: [{ by: "zone", labels: { app: "db" } }],
    preferred: [],
    antiRequired: [],
    antiPreferred: [],
  },
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
