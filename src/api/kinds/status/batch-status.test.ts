import { describe, expect, test } from "vitest";
import { aJobPlane, type JobPlane } from "../../../../test/builders/a-job-plane.ts";
import { eventsOf } from "../../events/events-of.ts";
import { readyText, writeWorkloadStatus } from "./workload-status.ts";

const statusOf = (plane: JobPlane) => writeWorkloadStatus(plane.workload(), plane.ledger.objects);

const conditionOf = (plane: JobPlane, type: string) =>
  statusOf(plane).conditions.find((condition) => condition.type === type);

const toldOf = (plane: JobPlane): readonly string[] =>
  eventsOf(plane.lastCommit)
    .filter(({ about }) => about.kind === "Workload")
    .map(({ type, reason }) => `${type} ${reason}`);

describe("the status of a job", () => {
  test("says how many indexes have succeeded, which have failed, and how they ended", () => {
    const plane = aJobPlane({ perIndexRetries: 0 });
    plane.begin(0, 1);
    expect(toldOf(plane)).toEqual(["Normal JobStarted"]);
    plane.end("failed", 0);
    plane.end("succeeded", 1);
    plane.begin(2);
    expect(readyText(plane.workload(), plane.ledger.objects)).toBe("1/4");
    expect(statusOf(plane).batch).toEqual({
      completions: "1/4",
      active: 1,
      succeeded: 1,
      failures: 1,
      givenUp: 1,
      failedIndexes: [{ index: 0, failures: 1, givenUp: true, lastEnd: "exit code 1" }],
      startTime: "1970-01-01T00:00:00Z",
    });
    expect(conditionOf(plane, "Complete")).toMatchObject({ status: "False" });
    expect(conditionOf(plane, "Failed")).toMatchObject({ status: "False", reason: "NotFailed" });
    expect(conditionOf(plane, "Progressing")).toMatchObject({
      status: "True",
      reason: "JobActive",
      message: "1 of 4 indexes have succeeded, 1 are running.",
    });
  });

  test("is complete only when it was said to be, and then settled", () => {
    const plane = aJobPlane({ completions: 1 });
    plane.begin(0);
    plane.end("succeeded", 0);
    expect(conditionOf(plane, "Complete")?.status).toBe("False");
    plane.nowMs = 60_000;
    plane.finish("succeeded");
    expect(toldOf(plane)).toEqual(["Normal JobComplete"]);
    expect(conditionOf(plane, "Complete")).toMatchObject({
      status: "True",
      reason: "AllSucceeded",
      lastTransitionTime: "1970-01-01T00:01:00Z",
    });
    expect(conditionOf(plane, "Progressing")).toMatchObject({ reason: "JobFinished" });
    expect(statusOf(plane).batch).toMatchObject({
      outcome: "succeeded",
      completionTime: "1970-01-01T00:01:00Z",
    });
  });

  test("has failed for a reason that people know, and shows what is still to stop", () => {
    const plane = aJobPlane({ backoffLimit: 0 });
    plane.begin(0, 1);
    plane.end("failed", 0);
    plane.finish("backoff-limit-exceeded");
    expect(toldOf(plane)).toEqual(["Warning JobFailed"]);
    expect(conditionOf(plane, "Failed")).toMatchObject({
      status: "True",
      reason: "BackoffLimitExceeded",
      message: "0 of 4 indexes have succeeded, 0 used up their retries, 1 failures.",
    });
    expect(conditionOf(plane, "Progressing")).toMatchObject({ reason: "JobStopping" });
    expect(statusOf(plane).batch).toMatchObject({
      outcome: "failed",
      reason: "BackoffLimitExceeded",
    });
  });
});
