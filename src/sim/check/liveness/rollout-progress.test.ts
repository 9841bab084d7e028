import { describe, expect, test } from "vitest";
import type { Replica, Workload, WorkloadSpec } from "../../../core/model/objects.ts";
import type { Rollout } from "../../../core/model/rollout.ts";
import { NEVER_READY } from "../../world/never-ready.ts";
import { CheckerHarness } from "../../../../test/builders/check/checker-harness.ts";
import {
  aNode,
  aReplica,
  aTemplate,
  aWorkload,
  bound,
  withStatus,
} from "../../../../test/builders/check/fixtures.ts";
import { createProgressChecker, isAtRest } from "./progress.ts";
import { STALL_MS } from "./unfinished.ts";

const DEADLINE_MS = 30_000;
const OPEN = 2_147_483_647;

function moving(of: Partial<Rollout> = {}, spec: Partial<WorkloadSpec> = {}): Workload {
  const rollout = { maxSurge: 1, maxUnavailable: 0, deadlineMs: DEADLINE_MS };
  const workload = aWorkload({ spec: { replicas: 1, rollout, ...spec } });
  const now: Rollout = {
    from: 1,
    to: 2,
    stage: "rolling",
    begun: [0, 1],
    old: [{ generation: 1, indexes: [0, OPEN] }],
    step: 0,
    sinceMs: 0,
    ...of,
  };
  return { ...workload, status: { templateGeneration: 2, rollout: now } };
}

const old = bound(aReplica(), "node-1", { stage: "serving" });
const broken = bound(
  aReplica({ spec: { generation: 2, template: aTemplate({ command: [NEVER_READY] }) } }),
  "node-1",
  {
    stage: "starting",
    failingProbe: { said: "it answered no", times: 9, sinceMs: 0, toldMs: 0 },
  },
);

function stuckFor(ms: number, ...put: readonly (Replica | Workload)[]): readonly string[] {
  const harness = new CheckerHarness(createProgressChecker());
  harness.commit({ put: [aNode(), ...put] });
  harness.sample();
  harness.nowMs += ms;
  harness.finish();
  return harness.found;
}

describe("a rollout in a healed world", () => {
  const patienceMs = DEADLINE_MS + STALL_MS + 1_000;

  test("may go without progress for its deadline and the usual patience, and no longer [LIV20]", () => {
    expect(stuckFor(patienceMs - 1, moving(), old, broken)).toEqual([]);
    expect(stuckFor(patienceMs, moving(), old, broken)).toEqual([
      "LIV20 Workload/payments/api is still rolling to generation 2: 0 of 1 serve. It has been so for 151000 ms.",
    ]);
  });

  test("is not done as long as it moves, whatever its replicas wait for [LIV20]", () => {
    const queued = withStatus(aReplica({ spec: { generation: 2 } }), { stage: "queued" });
    expect(stuckFor(patienceMs, moving(), old, queued)).toContainEqual(
      expect.stringMatching(/^LIV20/),
    );
  });

  test("reports a replica that never becomes ready and does not name its probe [LIV68]", () => {
    const silent = withStatus(broken, { failingProbe: undefined });
    expect(stuckFor(STALL_MS + 1_000, moving(), old, silent)).toEqual([
      expect.stringMatching(/^LIV68 .*api.2.0 is starting, and its failing probe is not told/),
    ]);
  });

  test("that is on its way back has no deadline, and waits for room like all others [LIV20]", () => {
    const back = moving({ stage: "going-back", to: 1, old: [{ generation: 2, indexes: [0, 1] }] });
    expect(stuckFor(STALL_MS + 1_000, back, old, broken)).toEqual([
      expect.stringMatching(/^LIV20 .* going-back to generation 1: 1 of 1 serve/),
    ]);
  });

  test("rests while it is paused, held, or back [LIV20]", () => {
    const rollout = { maxSurge: 1, maxUnavailable: 0, deadlineMs: DEADLINE_MS, paused: true };
    const begun = bound(aReplica({ spec: { generation: 2 } }), "node-1", { stage: "serving" });
    for (const workload of [
      moving({}, { rollout }),
      moving({ stage: "held" }),
      moving({ stage: "rolled-back", to: 1, begun: [0, OPEN], old: [] }),
    ]) {
      const harness = new CheckerHarness(createProgressChecker());
      const isBack = workload.status.rollout?.stage === "rolled-back";
      harness.commit({ put: [aNode(), workload, old, ...(isBack ? [] : [begun])] });
      expect(isAtRest(harness)).toBe(true);
    }
  });
});
