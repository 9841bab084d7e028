import { expect, test } from "vitest";
import { aReplica } from "../../../../test/builders/a-replica.ts";
import { aWorkload } from "../../../../test/builders/a-workload.ts";
import { workloadProblems } from "./workload-problems.ts";

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
  expect(workloadProblems(aWorkload(), replicas)).toEqual([
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
  expect(workloadProblems(aWorkload(), replicas)).toEqual([]);
});
