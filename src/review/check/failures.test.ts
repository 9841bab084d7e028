import { expect, test } from "vitest";
import { aNode } from "../../../test/builders/a-node.ts";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { aWorkload } from "../../../test/builders/a-workload.ts";
import type { CommitmentSpec, FailureCase } from "../../core/model/commitment.ts";
import { indexOf } from "../../fleet/fleet.ts";
import { failuresOf } from "./failures.ts";

/** The api is on a-1 (twice) and b-1, work of another tenant on c-1, and d-1 is empty. */
const OBJECTS = indexOf({
  source: "four nodes",
  objects: [
    ...["a", "b", "c", "d"].map((zone) => aNode({ name: `${zone}-1`, zone, region: "eu" })),
    aWorkload({ replicas: 3 }),
    aWorkload({ tenant: "ads", name: "train", replicas: 1 }),
    aReplica({ node: "a-1", index: 0, stage: "serving" }),
    aReplica({ node: "a-1", index: 1, stage: "serving" }),
    aReplica({ node: "b-1", index: 2, stage: "serving" }),
    aReplica({ tenant: "ads", workload: "train", node: "c-1", index: 0, stage: "serving" }),
  ],
});

const textsOf = (spec: CommitmentSpec, namespace = "payments"): readonly string[] =>
  failuresOf(OBJECTS, { namespace, name: "p", spec }).all.map(({ text }) => text);

const RECOVER = { recover: { workload: "api", withinMs: 1_000 } };

test("only failures that hit what the promise is about are kept, the heaviest first", () => {
  expect(textsOf({ ...RECOVER, when: { lose: "node" } })).toEqual([
    "the loss of node a-1",
    "the loss of node b-1",
  ]);
  expect(textsOf({ drains: { withinMs: 1_000 } }, "ads")).toEqual(["the drain of node c-1"]);
  expect(textsOf({ drains: { withinMs: 1_000 } }, "berth")).toHaveLength(3);
});

test("a promise without a failure is checked against each node and each larger place", () => {
  expect(textsOf(RECOVER)).toEqual([
    "the loss of node a-1",
    "the loss of zone a",
    "the loss of node b-1",
    "the loss of zone b",
  ]);
});

test("every combination of as many places as are named is one failure", () => {
  const sets = textsOf({ ...RECOVER, when: { lose: "zone", anyOf: 2 } });
  // All six pairs but the one of the zones without the api.
  expect(sets).toHaveLength(5);
  expect(sets[0]).toBe("the loss of zones a and b");
  expect(sets).not.toContain("the loss of zones c and d");
});

const recovering = (when: FailureCase) =>
  failuresOf(OBJECTS, { namespace: "payments", name: "p", spec: { ...RECOVER, when } });

test("a place that the fleet does not have is told, and no failure is made of it", () => {
  expect(recovering({ lose: "zone", which: "z" })).toMatchObject({ all: [], missing: "zone z" });
  expect(recovering({ lose: "zone", anyOf: 5 })).toMatchObject({
    all: [],
    missing: "5 places by zone",
  });
});
