import { describe, expect, test } from "vitest";
import type { BatchSpec, BatchStatus } from "../../../core/model/batch.ts";
import type { AnyObject, Replica, Workload } from "../../../core/model/objects.ts";
import type { Stage } from "../../../core/model/stage.ts";
import { CheckerHarness } from "../../../../test/builders/check/checker-harness.ts";
import {
  aNode,
  aReplica,
  aWorkload,
  withStatus,
} from "../../../../test/builders/check/fixtures.ts";
import { createProgressChecker, isAtRest } from "./progress.ts";
import { STALL_MS } from "./unfinished.ts";

const NOW = { atMs: 0, epoch: 1 };

const job = (batch: Partial<BatchSpec> = {}, status?: BatchStatus): Workload => {
  const spec = { type: "batch", replicas: 2, batch: { completions: 2, ...batch } } as const;
  const made = aWorkload({ spec });
  return status === undefined ? made : { ...made, status: { ...made.status, batch: status } };
};

const replica = (index: number, stage: Stage, failures = 0): Replica =>
  withStatus(aReplica({ spec: { index, type: "batch" } }), { stage, failures });

function benchWith(...objects: readonly AnyObject[]): CheckerHarness {
  const harness = new CheckerHarness(createProgressChecker());
  harness.commit({ put: [aNode({ status: { health: "ready" } }), ...objects] });
  return harness;
}

function after(ms: number, ...objects: readonly AnyObject[]): readonly string[] {
  const harness = benchWith(...objects);
  harness.sample();
  harness.nowMs += ms;
  harness.finish();
  return harness.found.map((line) => line.replace(/ It has been so for \d+ ms\.$/, ""));
}

describe("a job in a healed world", () => {
  test("that may begin an index and does not is stuck [LIV30]", () => {
    expect(after(STALL_MS, job())).toEqual([
      "LIV30 0 of Workload/payments/api live, of 1 that may, and 2 indexes wait.",
    ]);
    const failed = [job({}, { started: NOW }), replica(0, "succeeded"), replica(1, "failed", 3)];
    expect(after(STALL_MS, ...failed)).toEqual([]);
    expect(after(STALL_MS + 4_000, ...failed)).toHaveLength(1);
  });

  test("that is over and is not said to be is stuck [LIV30]", () => {
    const done = [job({}, { started: NOW }), replica(0, "succeeded"), replica(1, "succeeded")];
    expect(after(STALL_MS, ...done)).toEqual([
      "LIV30 Workload/payments/api is over (succeeded), and no controller has finished it.",
    ]);
  });

  test("is not demanded to try an index again that was given up, or anything once it is over [LIV30]", () => {
    const finished = { started: NOW, finished: { ...NOW, end: "failed-indexes" } } as const;
    const harness = benchWith(
      job({ perIndexRetries: 0 }, finished),
      replica(0, "succeeded"),
      replica(1, "failed", 1),
    );
    expect(isAtRest(harness)).toBe(true);
  });

  test("does not go on beyond its deadline, nor stay beyond its time [LIV30]", () => {
    const late = job({ activeDeadlineMs: 100_000 }, { started: NOW });
    expect(
      after(STALL_MS + 106_000, late, replica(0, "running"), replica(1, "succeeded")),
    ).toContain("LIV30 Workload/payments/api goes on beyond its deadline of 100000 ms.");
    const finished = { started: NOW, finished: { ...NOW, end: "succeeded" } } as const;
    const kept = job({ ttlMs: 1_000 }, finished);
    const done = [replica(0, "succeeded"), replica(1, "succeeded")];
    expect(after(STALL_MS + 1_060, kept, ...done)).toEqual([
      "LIV30 Workload/payments/api is still there, 1000 ms after it was finished.",
    ]);
  });

  test("leaves nothing alive behind when it is over [LIV4]", () => {
    const finished = { started: NOW, finished: { ...NOW, end: "failed-indexes" } } as const;
    const left = after(STALL_MS, job({}, finished), replica(0, "queued"), replica(1, "failed", 1));
    expect(left).toEqual(["LIV4 Replica/payments/api.1.0 is queued, and its job is over."]);
  });
});
