import { expect, test } from "vitest";
import { CheckerHarness } from "../../../../test/builders/check/checker-harness.ts";
import { amounts, aNode, aReplica } from "../../../../test/builders/check/fixtures.ts";
import { createRegistrationsChecker } from "./registrations.ts";

const registered = (node: Parameters<typeof aNode>[0] = {}): CheckerHarness => {
  const harness = new CheckerHarness(createRegistrationsChecker());
  harness.commit({ put: [aNode(node)], role: "agent" });
  return harness;
};
const onNode = (stage: "unknown" | "bound", incarnation: number) =>
  aReplica({ status: { stage, node: "node-1", session: 1, incarnation } });
const bound = aReplica({ status: { stage: "bound", node: "node-1", session: 1 } });

test("[INV184] a machine that registers itself claims what a machine can be", () => {
  expect(registered().found).toEqual([]);
  const capacity = amounts({ cpuMillis: 1_000_000_000 });
  expect(registered({ spec: { capacity } }).found).toEqual([expect.stringMatching(/^INV184/)]);
  const labels = { "topology.kubernetes.io/zone": "eu-a" };
  expect(registered({ meta: { labels } }).found).toEqual([expect.stringMatching(/^INV184/)]);
});

test.each([
  ["a finalizer", { meta: { finalizers: ["hostile.example/keep"] } }],
  ["a cordon", { spec: { cordons: [{ holder: "ada", reason: "" }] } }],
  ["a drain", { spec: { draining: true } }],
  ["a forecast", { spec: { supply: "soft" as const } }],
])("[INV184] and holds nothing in the name of others: %s", (_, node) => {
  expect(registered(node).found).toEqual([expect.stringMatching(/^INV184/)]);
  const held = { spec: { cordons: [{ holder: "approval", reason: "" }] } };
  expect(registered(held).found).toEqual([]);
});

test("[INV184] and gets no work before a person has written it", () => {
  const harness = registered();
  harness.commit({ put: [bound], role: "place" });
  expect(harness.found).toEqual([expect.stringMatching(/^INV184 .* no operator has approved/)]);
  const approved = registered();
  approved.commit({ put: [aNode()], role: "user" });
  approved.commit({ put: [bound], role: "place" });
  expect(approved.found).toEqual([]);
});

test("[INV184] a replica that was bound to a deleted node of that name is no bind, its next one is", () => {
  const harness = new CheckerHarness(createRegistrationsChecker());
  harness.commit({ put: [aNode()], role: "user" });
  harness.commit({ put: [bound], role: "place" });
  harness.commit({ remove: [aNode().key], role: "user" });
  harness.commit({ put: [aNode()], role: "agent" });
  harness.commit({ put: [onNode("unknown", bound.status.incarnation)], role: "node-health" });
  expect(harness.found).toEqual([]);
  harness.commit({ put: [onNode("bound", bound.status.incarnation + 1)], role: "place" });
  expect(harness.found).toEqual([expect.stringMatching(/^INV184 .* no operator has approved/)]);
});
