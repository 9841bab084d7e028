import { expect, test } from "vitest";
import type { Replica } from "../../../core/model/objects.ts";
import { CheckerHarness } from "../../../../test/builders/check/checker-harness.ts";
import { aReplica, bound, withStatus } from "../../../../test/builders/check/fixtures.ts";
import { createRejectionsChecker } from "./rejections.ts";

/** Bound to node-1, and turned away by it. */
function rejected(): { readonly harness: CheckerHarness; readonly failed: Replica } {
  const harness = new CheckerHarness(createRejectionsChecker());
  const starting = bound(aReplica(), "node-1", { stage: "starting" });
  harness.commit({ put: [starting] });
  const failed = withStatus(starting, {
    stage: "failed",
    node: undefined,
    rejections: [{ node: "node-1", incarnation: 1 }],
  });
  harness.commit({ command: "report", role: "agent", put: [failed] });
  return { harness, failed };
}

const nextIncarnation = (replica: Replica, node: string, incarnation = 2): Replica =>
  bound(withStatus(replica, { incarnation }), node);

test("the next incarnation on another node is fine [INV61]", () => {
  const { harness, failed } = rejected();
  harness.commit({ command: "bind", role: "place", put: [nextIncarnation(failed, "node-2")] });
  expect(harness.found).toEqual([]);
});

test("the same node a moment later is reported [INV61]", () => {
  const { harness, failed } = rejected();
  harness.nowMs += 5_000;
  harness.commit({ command: "bind-all", role: "place", put: [nextIncarnation(failed, "node-1")] });
  expect(harness.found).toEqual([
    "INV61 Replica/payments/api.1.0 incarnation 2 was bound to node-1, which turned it away 5000 ms before.",
  ]);
});

test("the same node a minute later is fine, and so it is after an incarnation that came to run [INV61]", () => {
  const late = rejected();
  late.harness.nowMs += 60_000;
  late.harness.commit({ command: "bind", put: [nextIncarnation(late.failed, "node-1")] });
  expect(late.harness.found).toEqual([]);

  const { harness, failed } = rejected();
  const ready = withStatus(nextIncarnation(failed, "node-2"), {
    stage: "ready",
    rejections: undefined,
  });
  harness.commit({ command: "report", role: "agent", put: [ready] });
  harness.commit({ command: "bind", put: [nextIncarnation(failed, "node-1", 3)] });
  expect(harness.found).toEqual([]);
});

test("a failure that is no rejection keeps it from nowhere [INV61]", () => {
  const harness = new CheckerHarness(createRejectionsChecker());
  const running = bound(aReplica(), "node-1", { stage: "serving" });
  harness.commit({ put: [running] });
  const failed = withStatus(running, { stage: "failed", node: undefined });
  harness.commit({ command: "report", role: "agent", put: [failed] });
  harness.commit({ command: "bind", put: [nextIncarnation(failed, "node-1")] });
  expect(harness.found).toEqual([]);
});
