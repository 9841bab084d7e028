import { expect, test } from "vitest";
import { aRollout, aWait, aWorkload } from "./a-workload.ts";
import { restartText } from "./status-line.tsx";
import { countStatuses, statusOf, statusRank, statusText } from "./status-of.ts";
import type { Workload } from "./workload-row.ts";

const said = (of: Partial<Workload>): string => statusText(statusOf(aWorkload("a/b", of)));
const crash = {
  reason: "CrashLoop",
  message: "b.1.0 has failed 3 times in a row: its process ended with exit code 1.",
  replica: "b.1.0",
  cause: "its process ended with exit code 1",
  failures: 3,
};
const recovery = { withinMs: 60_000, replicas: 2, reserved: 2, needed: 2, now: null, last: null };
const batch = {
  completions: 9,
  parallelism: 2,
  succeeded: 1,
  active: 2,
  failures: 0,
  givenUp: 0,
  started: 1,
  finished: null,
  outcome: null,
};

test.each<[string, Partial<Workload>]>([
  ["Serving 3 of 3", {}],
  ["Serving 4, 3 desired", { ready: 4 }],
  ["Scaled to 0", { wanted: 0, ready: 0, stages: {} }],
  ["Starting: 1 of 3 ready", { ready: 1, stages: { serving: 1, starting: 2 } }],
  [
    "Pending: no-feasible-node in short",
    { ready: 0, pending: [aWait("no-feasible-node", { count: 3 })] },
  ],
  [
    "Pending: 1 of 3: no-feasible-node in short",
    { ready: 2, pending: [aWait("no-feasible-node")] },
  ],
  ["Crash loop: exit code 1", { ready: 2, problems: [crash], pending: [aWait("restart-backoff")] }],
  ["Rolling out: 2 → 3, 1 of 3 updated", { rollout: aRollout() }],
  ["Rollout paused: 2 → 3, 1 of 3 updated", { rollout: aRollout({ paused: true }) }],
  [
    "Rolling back: no progress in 10m",
    { rollout: aRollout({ stage: "going-back", reason: "no progress in 10m" }), problems: [crash] },
  ],
  [
    "Rolled back: no progress",
    {
      rollout: aRollout({ stage: "rolled-back", reason: "no progress" }),
      problems: [{ reason: "RolledBack", message: "Its rollout failed and was rolled back." }],
    },
  ],
  ["Headroom short: for 1 of 2", { recovery: { ...recovery, reserved: 1 } }],
  ["Deleting: 3 serving", { deleting: 5 }],
  ["Running: 1 of 9 done, 2 running", { type: "batch", batch, wanted: 2 }],
  [
    "Failed: deadline-exceeded: 1 of 9 done, 2 running",
    { batch: { ...batch, outcome: "deadline-exceeded" } },
  ],
])("a workload has one status: %s", (text, of) => {
  expect(said(of)).toBe(text);
});

test("what the status does not say stands below it", () => {
  const of = {
    ready: 1,
    stages: { serving: 1, queued: 1, failed: 1 },
    problems: [crash],
    pending: [aWait("restart-backoff", { restarts: 9_000 }), aWait("no-feasible-node")],
    rollout: aRollout(),
    recovery,
  };
  const { word, more, restarts } = statusOf(aWorkload("a/b", of));
  expect([word, restarts]).toEqual(["Crash loop", 9_000]);
  expect(more).toBe(
    "1 serving, 1 queued, 1 failed; 1 pending: no node fits; rolling 2 → 3, 1 of 3 updated; recovers in 60s",
  );
  expect(restartText(20_400)).toBe("restarts in 20s");
  expect(restartText(-5)).toBe("restarts now");
});

test("statuses are counted and sorted with the most urgent first", () => {
  const all = [
    aWorkload("a/fine"),
    aWorkload("a/rolls", { rollout: aRollout() }),
    aWorkload("a/crashes", { problems: [crash] }),
    aWorkload("a/waits", { pending: [aWait("no-feasible-node")] }),
    aWorkload("b/fine"),
  ];
  expect(countStatuses(all)).toEqual([
    { value: "Crash loop", count: 1 },
    { value: "Pending", count: 1 },
    { value: "Rolling out", count: 1 },
    { value: "Serving", count: 2 },
  ]);
  expect(all.map(statusRank).toSorted()[0]).toBe("0 Crash loop");
});
