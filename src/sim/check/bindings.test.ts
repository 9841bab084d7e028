import { expect, test } from "vitest";
import type { Uid } from "../../core/model/ids.ts";
import { createBindingsChecker } from "./bindings.ts";
import { CheckerBench } from "../../../test/builders/check/checker-bench.ts";
import { aReplica, bound, freed, withStatus } from "../../../test/builders/check/fixtures.ts";

const newBench = (): CheckerBench => new CheckerBench(createBindingsChecker());

test("a slot that is bound, released and bound again in its next life is fine [INV1]", () => {
  const bench = newBench();
  const first = aReplica();
  const second = withStatus(first, { life: 2 });
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
    bench.commit({ put: [replica] });
  }
  bench.commit({ put: [freed(second)] });
  bench.commit({ remove: [first.key] });
  bench.commit({ put: [first] });
  expect(bench.found).toEqual([]);
});

test("a second live binding of one slot is reported [INV1]", () => {
  const bench = newBench();
  const replica = aReplica();
  bench.commit({ put: [bound(replica, "node-1")] });
  bench.commit({ put: [bound(replica, "node-3", { life: 2 })] });
  expect(bench.found).toEqual([
    "INV1 Replica/payments/api.1.0 life 2 is bound to node-3 while life 1 still holds node-1.",
  ]);
});

test("a next life on the same node is reported while the last one still holds it [INV1]", () => {
  const bench = newBench();
  bench.commit({ put: [bound(aReplica())] });
  bench.commit({ put: [bound(aReplica(), "node-1", { life: 2 })] });
  expect(bench.found).toHaveLength(1);
});

test("two replicas that hold a node for the same slot are reported [INV1]", () => {
  const bench = newBench();
  bench.commit({ put: [bound(aReplica())] });
  const twin = aReplica({ spec: { workload: "twin", workloadUid: aReplica().spec.workloadUid } });
  bench.commit({ put: [bound(twin, "node-2")] });
  expect(bench.found).toEqual([
    "INV1 Replica/payments/twin.1.0 life 1 is bound to node-2 while Replica/payments/api.1.0 still holds node-1 for the same slot.",
  ]);
});

test("a life that goes back is reported, unless it is another replica of that name [INV1]", () => {
  const bench = newBench();
  bench.commit({ put: [aReplica({ status: { life: 3 } })] });
  bench.commit({ put: [aReplica({ status: { life: 1 }, meta: { uid: "another" as Uid } })] });
  expect(bench.found).toEqual([]);
  bench.commit({ put: [aReplica({ status: { life: 0 }, meta: { uid: "another" as Uid } })] });
  expect(bench.found).toEqual(["INV1 Replica/payments/api.1.0 went back from life 1 to life 0."]);
});

test("a stage and a node that do not belong together are reported [INV1]", () => {
  const bench = newBench();
  bench.commit({ put: [aReplica({ status: { stage: "serving" } })] });
  bench.commit({ put: [aReplica({ status: { stage: "failed", node: "node-1" } })] });
  expect(bench.found).toEqual([
    "INV1 Replica/payments/api.1.0 life 1 is serving and names no node.",
    "INV1 Replica/payments/api.1.0 life 1 is failed and names node-1.",
  ]);
});
