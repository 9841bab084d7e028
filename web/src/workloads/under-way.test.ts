import { expect, test } from "vitest";
import type { BatchCell, RecoveryCell } from "../../../src/api/views/view-rows.ts";
import { aRollout, aWait, aWorkload } from "./a-workload.ts";
import { batchWay, recoveryWay, rolloutWay } from "./under-way.ts";
import { workloadSentence } from "./workload-sentence.ts";

test("a rollout is told by where it comes from and goes to, how far it is, its step, and that it is paused", () => {
  expect(rolloutWay(aRollout(), 4).text).toBe("rolling 2 → 3, 1 of 4 updated");
  const stopped = aRollout({ step: 2, steps: 4, paused: true });
  expect(rolloutWay(stopped, 4)).toEqual({
    tone: "wait",
    text: "rolling 2 → 3, 1 of 4 updated, step 2 of 4, paused",
  });
  expect(rolloutWay(aRollout({ from: null }), 4).text).toMatch(/^rolling to 3,/);
});

test("one that failed says so, with the plane's reason", () => {
  const of = { from: 3, to: 2, updated: 3, reason: "no progress for 10m" };
  expect(rolloutWay(aRollout({ ...of, stage: "going-back" }), 4)).toEqual({
    tone: "bad",
    text: "failed, rolling back to 2, 3 of 4 done",
    why: "no progress for 10m",
  });
  expect(rolloutWay(aRollout({ ...of, stage: "rolled-back" }), 4).text).toBe(
    "rollout failed, rolled back to 2",
  );
  expect(rolloutWay(aRollout({ stage: "held" }), 4).text).toBe(
    "rollout to 3 failed, held at 1 of 4",
  );
});

const aRecovery = (of: Partial<RecoveryCell> = {}): RecoveryCell => ({
  withinMs: 300_000,
  replicas: 4,
  reserved: 4,
  needed: 4,
  now: null,
  last: null,
  ...of,
});

test("a recovery says what is lost and whether it is late, and before that whether its room is there", () => {
  const now = { stage: "queued", lost: 1, since: 0, deadline: 300_000, missed: null } as const;
  expect(recoveryWay(aRecovery({ now })).text).toBe("recovering 1 lost, queued");
  expect(recoveryWay(aRecovery({ now: { ...now, missed: "lost" } }))).toEqual({
    tone: "bad",
    text: "recovering 1 lost, queued, late: most of it in lost",
  });
  expect(recoveryWay(aRecovery({ reserved: 3 })).text).toBe("recovery in 5m: headroom for 3 of 4");
  expect(recoveryWay(aRecovery())).toEqual({ tone: "good", text: "recovers in 5m" });
});

test("a job is told by what is done of it, and by how it ended", () => {
  const batch: BatchCell = {
    completions: 10,
    parallelism: 3,
    succeeded: 7,
    active: 2,
    failures: 1,
    givenUp: 0,
    started: 1,
    finished: null,
    outcome: null,
  };
  expect(batchWay(batch).text).toBe("7 of 10 done, 2 running, 1 failure");
  expect(batchWay({ ...batch, outcome: "backoff-limit-exceeded", active: 0 })).toEqual({
    tone: "bad",
    text: "backoff-limit-exceeded: 7 of 10 done, 1 failure",
  });
});

test("two of four are two of four, and who stands still is counted by reason", () => {
  const pending = [aWait("no-feasible-node", { count: 2 })];
  expect(workloadSentence(aWorkload("a/b", { wanted: 4, ready: 2, pending }))).toBe(
    "2 of 4 replicas are ready; 2 pending: no node fits.",
  );
  expect(workloadSentence(aWorkload("a/b", { ready: 4, rollout: aRollout() }))).toBe(
    "4 replicas are ready, 3 desired; rolling 2 → 3, 1 of 3 updated.",
  );
  expect(workloadSentence(aWorkload("a/b", { ready: 1, wanted: 0 }))).toBe(
    "1 replica is ready, 0 desired.",
  );
});
