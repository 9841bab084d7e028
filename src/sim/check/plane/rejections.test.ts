import { expect, test } from "vitest";
import type { Replica } from "../../../core/model/objects.ts";
import { CheckerBench } from "../../../../test/builders/check/checker-bench.ts";
import { aReplica, bound, withStatus } from "../../../../test/builders/check/fixtures.ts";
import { createRejectionsChecker } from "./rejections.ts";

/** Bound to node-1, and turned away by it. */
function rejected(): { readonly bench: CheckerBench; readonly failed: Replica } {
  const bench = new CheckerBench(createRejectionsChecker());
  const starting = bound(aReplica(), "node-1", { stage: "starting" });
  bench.commit({ put: [starting] });
  const failed = withStatus(starting, {
    stage: "failed",
    node: undefined,
    rejections: [{ node: "node-1", life: 1 }],
  });
  bench.commit({ command: "report", role: "agent", put: [failed] });
  return { bench, failed };
}

const nextLife = (replica: Replica, node: string, life = 2): Replica =>
  bound(withStatus(replica, { life }), node);

test("the next life on another node is fine [INV61]", () => {
  const { bench, failed } = rejected();
  bench.commit({ command: "bind", role: "place", put: [nextLife(failed, "node-2")] });
  expect(bench.found).toEqual([]);
});

test("the same node a moment later is reported [INV61]", () => {
  const { bench, failed } = rejected();
  bench.nowMs += 5_000;
  bench.commit({ command: "bind-all", role: "place", put: [nextLife(failed, "node-1")] });
  expect(bench.found).toEqual([
    "INV61 Replica/payments/api.1.0 life 2 was bound to node-1, which turned it away 5000 ms before.",
  ]);
});

test("the same node a minute later is fine, and so it is after a life that came to run [INV61]", () => {
  const late = rejected();
  late.bench.nowMs += 60_000;
  late.bench.commit({ command: "bind", put: [nextLife(late.failed, "node-1")] });
  expect(late.bench.found).toEqual([]);

  const { bench, failed } = rejected();
  const ready = withStatus(nextLife(failed, "node-2"), { stage: "ready", rejections: undefined });
  bench.commit({ command: "report", role: "agent", put: [ready] });
  bench.commit({ command: "bind", put: [nextLife(failed, "node-1", 3)] });
  expect(bench.found).toEqual([]);
});

test("a failure that is no rejection keeps it from nowhere [INV61]", () => {
  const bench = new CheckerBench(createRejectionsChecker());
  const running = bound(aReplica(), "node-1", { stage: "serving" });
  bench.commit({ put: [running] });
  const failed = withStatus(running, { stage: "failed", node: undefined });
  bench.commit({ command: "report", role: "agent", put: [failed] });
  bench.commit({ command: "bind", put: [nextLife(failed, "node-1")] });
  expect(bench.found).toEqual([]);
});
