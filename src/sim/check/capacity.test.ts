import { expect, test } from "vitest";
import { createCapacityChecker } from "./capacity.ts";
import { CheckerHarness } from "../../../test/builders/check/checker-harness.ts";
import {
  aLease,
  amounts,
  anAsk,
  aNode,
  aReplica,
  aTemplate,
  bound,
  freed,
} from "../../../test/builders/check/fixtures.ts";

const asking = (cpuMillis: number, index: number) =>
  aReplica({
    spec: { index, template: aTemplate({ ask: anAsk({ amounts: amounts({ cpuMillis }) }) }) },
  });

function benchWithNode(cpuMillis: number): CheckerHarness {
  const harness = new CheckerHarness(createCapacityChecker());
  harness.commit({ put: [aNode({ spec: { capacity: amounts({ cpuMillis, memoryMiB: 1024 }) } })] });
  return harness;
}

test("replicas that come and go within a node's capacity are fine [INV2]", () => {
  const harness = benchWithNode(1000);
  const [a, b, c] = [asking(600, 0), asking(400, 1), asking(500, 2)] as const;
  harness.commit({ command: "bind", put: [bound(a)] });
  harness.commit({ command: "bind", put: [bound(b)] });
  harness.commit({ command: "report", put: [bound(a, "node-1", { stage: "serving" })] });
  harness.commit({ command: "report", put: [freed(a)] });
  harness.commit({ command: "bind", put: [bound(c)] });
  harness.sample();
  harness.finish();
  expect(harness.found).toEqual([]);
});

test("a bind that exceeds the node is reported [INV2]", () => {
  const harness = benchWithNode(1000);
  harness.commit({ command: "bind", put: [bound(asking(600, 0))] });
  harness.commit({ command: "bind", put: [bound(asking(500, 1))] });
  expect(harness.found).toEqual([
    "INV2 Binding Replica/payments/api.1.1 takes cpuMillis on node-1 to 1100; its capacity is 1000.",
  ]);
});

test("a node that shrinks below its use is fine, and the next bind there is reported [INV2]", () => {
  const harness = benchWithNode(1000);
  harness.commit({ command: "bind", put: [bound(asking(600, 0))] });
  harness.commit({
    put: [aNode({ spec: { capacity: amounts({ cpuMillis: 500, memoryMiB: 1024 }) } })],
  });
  expect(harness.found).toEqual([]);
  harness.commit({ command: "bind", put: [bound(asking(1, 1))] });
  expect(harness.found).toHaveLength(1);
});

test("a bind to no node and the removal of a held one are reported [INV2]", () => {
  const harness = benchWithNode(1000);
  harness.commit({ command: "bind", put: [bound(asking(1, 0), "node-9")] });
  harness.commit({ command: "bind", put: [bound(asking(1, 1))] });
  harness.commit({ command: "delete", remove: [aNode().key, aLease().key] });
  expect(harness.found).toEqual([
    "INV2 Replica/payments/api.1.0 was bound to node-9, which does not exist.",
    "INV2 Node//node-1 was removed with its lease while 1 replicas hold it.",
  ]);
});

test("a held node may be deleted alone: its lease stays to tell when all is over [INV2]", () => {
  const harness = benchWithNode(1000);
  harness.commit({ command: "bind", put: [bound(asking(1, 1))] });
  harness.commit({ command: "delete", remove: [aNode().key] });
  expect(harness.found).toEqual([]);
});

test("an index that counts differently is reported [INV2]", () => {
  const harness = benchWithNode(1000);
  harness.commit({ command: "bind", put: [bound(asking(600, 0))] });
  harness.objects.useOf("node-1").cpuMillis = 0;
  harness.sample();
  expect(harness.found).toEqual([
    "INV2 The index counts cpuMillis 0 in use on node-1; the log adds up to 600.",
  ]);
});
