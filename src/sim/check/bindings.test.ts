import { expect, test } from "vitest";
import type { Uid } from "../../core/model/ids.ts";
import { createBindingsChecker } from "./bindings.ts";
import { CheckerHarness } from "../../../test/builders/check/checker-harness.ts";
import { aReplica, bound, freed, withStatus } from "../../../test/builders/check/fixtures.ts";

const newHarness = (): CheckerHarness => new CheckerHarness(createBindingsChecker());

test("an index that is bound, released and bound again in its next incarnation is fine [INV1]", () => {
  const harness = newHarness();
  const first = aReplica();
  const second = withStatus(first, { incarnation: 2 });
  for (const replica of [
    first,
    withStatus(first, { stage: "queued" }),
    bound(first),
    bound(first, "node-1", { stage: "serving" }),
    bound(first, "node-1", { stage: "unknown" }),
    freed(first),
    second,
    bound(second, "node-2"),
  ]) {
    harness.commit({ put: [replica] });
  }
  harness.commit({ put: [freed(second)] });
  harness.commit({ remove: [first.key] });
  harness.commit({ put: [first] });
  expect(harness.found).toEqual([]);
});

test("a second live binding of one index is reported [INV1]", () => {
  const harness = newHarness();
  const replica = aReplica();
  harness.commit({ put: [bound(replica, "node-1")] });
  harness.commit({ put: [bound(replica, "node-3", { incarnation: 2 })] });
  expect(harness.found).toEqual([
    "INV1 Replica/payments/api.1.0 incarnation 2 is bound to node-3 while incarnation 1 still holds node-1.",
  ]);
});

test("a next incarnation on the same node is reported while the last one still holds it [INV1]", () => {
  const harness = newHarness();
  harness.commit({ put: [bound(aReplica())] });
  harness.commit({ put: [bound(aReplica(), "node-1", { incarnation: 2 })] });
  expect(harness.found).toHaveLength(1);
});

test("two replicas that hold a node for the same index are reported [INV1]", () => {
  const harness = newHarness();
  harness.commit({ put: [bound(aReplica())] });
  const twin = aReplica({ spec: { workload: "twin", workloadUid: aReplica().spec.workloadUid } });
  harness.commit({ put: [bound(twin, "node-2")] });
  expect(harness.found).toEqual([
    "INV1 Replica/payments/twin.1.0 incarnation 1 is bound to node-2 while Replica/payments/api.1.0 still holds node-1 for the same index.",
  ]);
});

test("an incarnation that goes back is reported, unless it is another replica of that name [INV1]", () => {
  const harness = newHarness();
  harness.commit({ put: [aReplica({ status: { incarnation: 3 } })] });
  harness.commit({
    put: [aReplica({ status: { incarnation: 1 }, meta: { uid: "another" as Uid } })],
  });
  expect(harness.found).toEqual([]);
  harness.commit({
    put: [aReplica({ status: { incarnation: 0 }, meta: { uid: "another" as Uid } })],
  });
  expect(harness.found).toEqual([
    "INV1 Replica/payments/api.1.0 went back from incarnation 1 to incarnation 0.",
  ]);
});

test("a stage and a node that do not belong together are reported [INV1]", () => {
  const harness = newHarness();
  harness.commit({ put: [aReplica({ status: { stage: "serving" } })] });
  harness.commit({ put: [aReplica({ status: { stage: "failed", node: "node-1" } })] });
  expect(harness.found).toEqual([
    "INV1 Replica/payments/api.1.0 incarnation 1 is serving and names no node.",
    "INV1 Replica/payments/api.1.0 incarnation 1 is failed and names node-1.",
  ]);
});
