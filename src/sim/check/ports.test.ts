import { expect, test } from "vitest";
import type { Replica } from "../../core/model/objects.ts";
import { CheckerHarness } from "../../../test/builders/check/checker-harness.ts";
import {
  aNode,
  anAsk,
  aReplica,
  aTemplate,
  bound,
  freed,
} from "../../../test/builders/check/fixtures.ts";
import { createPortsChecker } from "./ports.ts";

const replica = (index: number, http: number): Replica =>
  aReplica({ spec: { index, template: aTemplate({ ask: anAsk({ fixedPorts: { http } }) }) } });

function foundAfter(...commits: (readonly Replica[])[]): readonly string[] {
  const harness = new CheckerHarness(createPortsChecker());
  harness.commit({ put: [aNode(), aNode({ name: "node-2" })] });
  for (const put of commits) harness.commit({ command: "bind", role: "place", put: [...put] });
  return harness.found;
}

test("replicas with one fixed port on different nodes, or with different ones, are right [INV192]", () => {
  const both = [bound(replica(0, 8080), "node-1"), bound(replica(1, 8080), "node-2")];
  expect(foundAfter(both, [bound(replica(2, 9090), "node-1")])).toEqual([]);
});

test("two replicas with one fixed port on a node are reported [INV192]", () => {
  const [one, other] = [bound(replica(0, 8080), "node-1"), bound(replica(1, 8080), "node-1")];
  const found = [
    "INV192 Replica/payments/api.1.1 has the fixed port 8080 on node-1, which Replica/payments/api.1.0 has as well.",
  ];
  expect(foundAfter([one], [other])).toEqual(found);
  expect(foundAfter([one, other])).toEqual(found);
});

test("a port is free again once its replica has left the node [INV192]", () => {
  const first = bound(replica(0, 8080), "node-1");
  expect(foundAfter([first], [freed(first)], [bound(replica(1, 8080), "node-1")])).toEqual([]);
});
