import { expect, test } from "vitest";
import { aReplica } from "../../../../test/builders/a-replica.ts";
import { aWorkload } from "../../../../test/builders/a-workload.ts";
import { aLease } from "../../../../test/builders/a-lease.ts";
import { workloadProblems } from "./workload-problems.ts";

const NO_LEASES = { lease: () => undefined };

test("a workload names the worst of its problems first, with a replica that has it", () => {
  const lastEnd = "its process ended with exit code 1";
  const failingProbe = {
    said: "GET / at 127.0.0.1:80 is 503",
    times: 12,
    sinceMs: 0,
    toldMs: 9_000,
  };
  const replicas = [
    aReplica({ index: 0, stage: "serving", node: "a-1" }),
    aReplica({ index: 1, stage: "starting", node: "a-1", failingProbe }),
    aReplica({ index: 2, stage: "failed", failures: 3, lastEnd }),
    aReplica({ index: 3, stage: "failed", failures: 4, lastEnd }),
    aReplica({ index: 4, stage: "queued" }),
  ];
  expect(workloadProblems(aWorkload(), replicas, NO_LEASES)).toEqual([
    {
      reason: "CrashLoop",
      message:
        "2 replicas are like api.1.2, which has failed 3 times in a row: its process ended with exit code 1; it restarts after a delay.",
      replica: "api.1.2",
      cause: lastEnd,
      failures: 3,
    },
    {
      reason: "ProbeFailing",
      message:
        "api.1.1 is starting and not ready: its probe fails: GET / at 127.0.0.1:80 is 503 (12 times in a row, since 1970-01-01T00:00:00Z).",
      replica: "api.1.1",
      cause: "GET / at 127.0.0.1:80 is 503",
    },
  ]);
});

test("a workload whose replicas serve, start or wait has no problem", () => {
  const replicas = [
    aReplica({ index: 0, stage: "serving", node: "a-1" }),
    aReplica({ index: 1, stage: "starting", node: "a-1" }),
    aReplica({ index: 2, stage: "queued" }),
  ];
  expect(workloadProblems(aWorkload(), replicas, NO_LEASES)).toEqual([]);
});

const lastEnd = "its process ended with exit code 3";
const again = { failures: 4, lastEnd, node: "a-1", stageSinceMs: 60_000 } as const;
const seenAt = (renewedMs: number) => ({ lease: () => aLease("a-1", { renewedMs }) });

test("a crash loop is a problem while its replica starts and serves between two failures", () => {
  const problem = { reason: "CrashLoop", replica: "api.1.0", cause: lastEnd, failures: 4 };
  const often = "api.1.0 has failed 4 times in a row: its process ended with exit code 3";
  const starts = [aReplica({ ...again, stage: "starting" })];
  expect(workloadProblems(aWorkload(), starts, seenAt(61_000))).toEqual([
    { ...problem, message: `${often}; it starts again.` },
  ]);
  const serves = [aReplica({ ...again, stage: "serving" })];
  expect(workloadProblems(aWorkload(), serves, seenAt(655_000))).toEqual([
    {
      ...problem,
      message: `${often}; it serves again since 1970-01-01T00:01:00Z.`,
      until: "1970-01-01T00:11:00Z",
    },
  ]);
});

test("a replica that has served for ten minutes, or failed once, is in no crash loop", () => {
  const serves = [aReplica({ ...again, stage: "serving" })];
  expect(workloadProblems(aWorkload(), serves, seenAt(660_000))).toEqual([]);
  const once = [aReplica({ ...again, failures: 1, stage: "serving" })];
  expect(workloadProblems(aWorkload(), once, seenAt(61_000))).toEqual([]);
  const runs = [aReplica({ ...again, type: "batch", stage: "running" })];
  expect(workloadProblems(aWorkload(), runs, seenAt(61_000))).toEqual([]);
});
