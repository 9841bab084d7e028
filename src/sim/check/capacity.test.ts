import { expect, test } from "vitest";
import { createCapacityChecker } from "./capacity.ts";
import { CheckerBench } from "../../../test/builders/check/checker-bench.ts";
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

const asking = (cpuMillis: number, slot: number) =>
  aReplica({
    spec: { slot, template: aTemplate({ ask: anAsk({ amounts: amounts({ cpuMillis }) }) }) },
  });

function benchWithNode(cpuMillis: number): CheckerBench {
  const bench = new CheckerBench(createCapacityChecker());
  bench.commit({ put: [aNode({ spec: { capacity: amounts({ cpuMillis, memoryMiB: 1024 }) } })] });
  return bench;
}

test("replicas that come and go within a node's capacity are fine [INV2]", () => {
  const bench = benchWithNode(1000);
  const [a, b, c] = [asking(600, 0), asking(400, 1), asking(500, 2)] as const;
  bench.commit({ command: "bind", put: [bound(a)] });
  bench.commit({ command: "bind", put: [bound(b)] });
  bench.commit({ command: "report", put: [bound(a, "node-1", { stage: "serving" })] });
  bench.commit({ command: "report", put: [freed(a)] });
  bench.commit({ command: "bind", put: [bound(c)] });
  bench.sample();
  bench.finish();
  expect(bench.found).toEqual([]);
});

test("a bind that exceeds the node is reported [INV2]", () => {
  const bench = benchWithNode(1000);
  bench.commit({ command: "bind", put: [bound(asking(600, 0))] });
  bench.commit({ command: "bind", put: [bound(asking(500, 1))] });
  expect(bench.found).toEqual([
    "INV2 Binding Replica/payments/api.1.1 takes cpuMillis on node-1 to 1100; its capacity is 1000.",
  ]);
});

test("a node that shrinks below its use is fine, and the next bind there is reported [INV2]", () => {
  const bench = benchWithNode(1000);
  bench.commit({ command: "bind", put: [bound(asking(600, 0))] });
  bench.commit({
    put: [aNode({ spec: { capacity: amounts({ cpuMillis: 500, memoryMiB: 1024 }) } })],
  });
  expect(bench.found).toEqual([]);
  bench.commit({ command: "bind", put: [bound(asking(1, 1))] });
  expect(bench.found).toHaveLength(1);
});

test("a bind to no node and the removal of a held one are reported [INV2]", () => {
  const bench = benchWithNode(1000);
  bench.commit({ command: "bind", put: [bound(asking(1, 0), "node-9")] });
  bench.commit({ command: "bind", put: [bound(asking(1, 1))] });
  bench.commit({ command: "delete", remove: [aNode().key, aLease().key] });
  expect(bench.found).toEqual([
    "INV2 Replica/payments/api.1.0 was bound to node-9, which does not exist.",
    "INV2 Node//node-1 was removed with its lease while 1 replicas hold it.",
  ]);
});

test("a held node may be deleted alone: its lease stays to tell when all is over [INV2]", () => {
  const bench = benchWithNode(1000);
  bench.commit({ command: "bind", put: [bound(asking(1, 1))] });
  bench.commit({ command: "delete", remove: [aNode().key] });
  expect(bench.found).toEqual([]);
});

test("an index that counts differently is reported [INV2]", () => {
  const bench = benchWithNode(1000);
  bench.commit({ command: "bind", put: [bound(asking(600, 0))] });
  bench.objects.useOf("node-1").cpuMillis = 0;
  bench.sample();
  expect(bench.found).toEqual([
    "INV2 The index counts cpuMillis 0 in use on node-1; the log adds up to 600.",
  ]);
});
