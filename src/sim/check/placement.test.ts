import { expect, test } from "vitest";
import type { Uid } from "../../core/model/ids.ts";
import type { Node, Workload } from "../../core/model/objects.ts";
import { CheckerHarness } from "../../../test/builders/check/checker-harness.ts";
import {
  anAsk,
  aNode,
  aReplica,
  aTemplate,
  aWorkload,
  bound,
} from "../../../test/builders/check/fixtures.ts";
import { createPlacementChecker } from "./placement.ts";

const ask = anAsk({
  regions: ["eu"],
  zones: ["eu-a"],
  nodeSelector: { disk: "ssd" },
  nodeExpressions: [{ key: "rack", operator: "gt", values: ["3"] }],
  tolerations: [{ key: "dedicated", value: "" }],
});
const replica = aReplica({ spec: { template: aTemplate({ ask }) } });
const goodNode = aNode({
  meta: { labels: { disk: "ssd", rack: "4" } },
  spec: {
    taints: [
      { key: "dedicated", value: "x", effect: "no-schedule" },
      { key: "spot", value: "", effect: "prefer-no-schedule" },
    ],
  },
});

function bindOn(node: Node | undefined, workload: Workload | undefined): string[] {
  const harness = new CheckerHarness(createPlacementChecker());
  harness.commit({ put: [replica, ...(node ? [node] : []), ...(workload ? [workload] : [])] });
  harness.commit({ command: "bind", role: "place", put: [bound(replica)] });
  return harness.found.map((line) =>
    line.replace("INV7 Replica/payments/api.1.0 incarnation 1 was bound to node-1, ", ""),
  );
}

const changedNode = (of: {
  spec?: Partial<Node["spec"]>;
  status?: Partial<Node["status"]>;
  meta?: Partial<Node["meta"]>;
}): Node => ({
  ...goodNode,
  meta: { ...goodNode.meta, ...of.meta },
  spec: { ...goodNode.spec, ...of.spec },
  status: { ...goodNode.status, ...of.status },
});

test("a bind to a healthy, open and allowed node is fine [INV7]", () => {
  expect(bindOn(goodNode, aWorkload())).toEqual([]);
});

test.each([
  ["which does not exist.", undefined],
  ["which is suspect.", changedNode({ status: { health: "suspect" } })],
  ["which is only a forecast.", changedNode({ spec: { supply: "soft" } })],
  ["which is draining.", changedNode({ spec: { draining: true } })],
  [
    "which is cordoned by ada.",
    changedNode({ spec: { cordons: [{ holder: "ada", reason: "" }] } }),
  ],
  [
    "which is in region us: the workload may not run there.",
    changedNode({ spec: { region: "us" } }),
  ],
  [
    "which is in zone eu-b: the workload may not run there.",
    changedNode({ spec: { zone: "eu-b" } }),
  ],
  [
    "which has no label disk=ssd: the workload may not run there.",
    changedNode({ meta: { labels: { rack: "4" } } }),
  ],
  [
    "which has no label rack that is gt 3: the workload may not run there.",
    changedNode({ meta: { labels: { disk: "ssd", rack: "3" } } }),
  ],
  [
    "which has the taint gpu=only: the workload may not run there.",
    changedNode({ spec: { taints: [{ key: "gpu", value: "only", effect: "no-schedule" }] } }),
  ],
])("a bind to a node %s is reported [INV7]", (message, node) => {
  expect(bindOn(node, aWorkload())).toEqual([message]);
});

test.each([
  ["does not exist", undefined],
  ["is another workload of the same name", aWorkload({ meta: { uid: "other" as Uid } })],
  ["is being deleted", aWorkload({ meta: { deletingMs: 5 } })],
  ["has moved on to generation 2", aWorkload({ generation: 2 })],
  ["wants only 0 replicas", aWorkload({ spec: { replicas: 0 } })],
])("a bind for a workload that %s is reported [INV7]", (what, workload) => {
  expect(bindOn(goodNode, workload)).toEqual([`but Workload/payments/api ${what}.`]);
});
