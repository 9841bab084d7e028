import { describe, expect, test } from "vitest";
import { aJobPlane, JobPlane } from "../../../../test/builders/a-job-plane.ts";
import { indexKey, WORKLOAD } from "../../../../test/builders/a-plane.ts";
import { codeOf } from "../../../../test/builders/code-of.ts";

/** What becomes of an eighth index when seven have failed. */
const spent = (of: { perIndexRetries?: number }): string => {
  const plane = aJobPlane({ completions: 8, parallelism: 8, ...of });
  plane.begin(0, 1, 2, 3, 4, 5, 6);
  plane.end("failed", 0, 1, 2, 3, 4, 5, 6);
  return codeOf(plane.begin(7));
};

describe("a job", () => {
  test("has at most as many incarnations at once as its parallelism, however they are given [BA1]", () => {
    const plane = aJobPlane();
    expect(plane.begin(0, 1, 2)).toMatchObject({
      code: "job-parallelism",
      expected: "at most 2 at once",
      actual: 3,
    });
    expect(codeOf(plane.begin(0, 1))).toBe("committed");
    const admit = {
      kind: "admit",
      workload: WORKLOAD,
      generation: 1,
      index: 2,
      incarnation: 1,
    } as const;
    expect(codeOf(plane.send(admit))).toBe("job-parallelism");
    plane.end("succeeded", 0);
    expect(codeOf(plane.send(admit))).toBe("committed");
  });

  test("runs one index at a time when it says nothing of parallelism [BA1]", () => {
    const plane = aJobPlane({ completions: 4 }, {});
    plane.putDesired({ type: "batch", batch: { completions: 4 } });
    expect(codeOf(plane.begin(0, 1))).toBe("job-parallelism");
    expect(codeOf(plane.begin(0))).toBe("committed");
  });

  test("begins nothing of a new template while something of the old one lives [BA1]", () => {
    const plane = aJobPlane();
    plane.begin(0, 1);
    plane.end("succeeded", 0);
    plane.putDesired({ type: "batch", command: ["v2"], batch: { completions: 4, parallelism: 2 } });
    expect(plane.begin(0)).toMatchObject({
      code: "job-parallelism",
      expected: "none of an earlier template",
      actual: 1,
    });
    const evidence = { kind: "surplus", workload: WORKLOAD } as const;
    plane.must({ kind: "evict", replica: indexKey(1), incarnation: 1, evidence });
    expect(codeOf(plane.begin(0))).toBe("committed");
  });

  test("begins nothing while a replica of the service that it was lives [BA1]", () => {
    const plane = new JobPlane();
    plane.tenant();
    plane.joined();
    plane.putDesired({ type: "service", command: ["v1"], replicas: 1 });
    expect(codeOf(plane.begin(0))).toBe("committed");
    plane.putDesired({ type: "batch", command: ["v2"], batch: { completions: 4, parallelism: 2 } });
    expect(plane.begin(0)).toMatchObject({
      code: "job-parallelism",
      expected: "none of an earlier template",
      actual: 1,
    });
  });

  test("does not run an index again that has succeeded [BA2]", () => {
    const plane = aJobPlane();
    plane.begin(0);
    plane.end("succeeded", 0);
    expect(codeOf(plane.begin(0))).toBe("wrong-stage");
  });

  test("runs an index again only when the process before it is known to be gone [BA2]", () => {
    const plane = aJobPlane();
    plane.begin(0);
    plane.must({ kind: "bind", replica: indexKey(0), incarnation: 1, node: "a-1", deviceIds: [] });
    for (const stage of ["starting", "running"] as const) {
      const report = { kind: "report", replica: indexKey(0), incarnation: 1, node: "a-1" } as const;
      plane.must({ ...report, session: 1, stage });
    }
    plane.fallenSilent();
    expect(plane.replica(0).status.stage).toBe("unknown");
    expect(codeOf(plane.begin(0))).toBe("wrong-stage");
    const evidence = { kind: "node-fenced", node: "a-1", session: 1 } as const;
    plane.must({ kind: "release", key: indexKey(0), incarnation: 1, evidence });
    expect(codeOf(plane.begin(0))).toBe("committed");
    expect(plane.replica(0).status).toMatchObject({ incarnation: 2, failures: 0 });
  });

  test("gives an index up that failed more often than it may, and goes on with others [BA3]", () => {
    const plane = aJobPlane({ perIndexRetries: 1 });
    for (const _ of [1, 2]) {
      expect(codeOf(plane.begin(0))).toBe("committed");
      plane.end("failed", 0);
    }
    expect(plane.begin(0)).toMatchObject({
      code: "job-retries",
      expected: "at most 1 failures",
      actual: 2,
    });
    expect(codeOf(plane.begin(1))).toBe("committed");
  });

  test("begins nothing more once it has failed more often than its backoff limit [BA3]", () => {
    const plane = aJobPlane({ backoffLimit: 1 });
    plane.begin(0, 1);
    plane.end("failed", 0);
    expect(codeOf(plane.begin(0))).toBe("committed");
    plane.end("failed", 1);
    expect(plane.begin(2)).toMatchObject({ code: "job-retries", field: WORKLOAD, actual: 2 });
  });

  test("has a backoff limit of 6 when it says nothing, and none when it bounds its indexes [BA3]", () => {
    expect(spent({})).toBe("job-retries");
    expect(spent({ perIndexRetries: 0 })).toBe("committed");
  });

  test("counts every failure, also one after a long time without trouble [BA3]", () => {
    const plane = aJobPlane();
    plane.begin(0);
    plane.end("failed", 0);
    plane.begin(0);
    const incarnation = 2;
    const replica = indexKey(0);
    plane.must({ kind: "bind", replica, incarnation, node: "a-1", deviceIds: [] });
    const report = { kind: "report", replica, incarnation, node: "a-1", session: 1 } as const;
    plane.must({ ...report, stage: "failed", wasStable: true });
    expect(plane.replica(0).status.failures).toBe(2);
  });

  test("starts its clock with its first incarnation, and begins nothing after its deadline [BA4]", () => {
    const plane = aJobPlane({ activeDeadlineMs: 10_000 });
    plane.nowMs = 5_000;
    plane.begin(0);
    expect(plane.batch).toEqual({ started: { atMs: 5_000, epoch: 1 } });
    plane.nowMs = 14_999;
    expect(codeOf(plane.begin(1))).toBe("committed");
    plane.end("failed", 1);
    plane.nowMs = 15_000;
    expect(plane.begin(1)).toMatchObject({
      code: "job-finished",
      expected: "active for less than 10000 ms",
      actual: "10000 ms",
    });
  });

  test("gets its whole time again under a new leadership, whose clock is another [BA4]", () => {
    const plane = aJobPlane({ activeDeadlineMs: 10_000 });
    plane.nowMs = 900_000;
    plane.begin(0);
    plane.nowMs = 1_000;
    plane.lead(2);
    plane.nowMs = 10_999;
    expect(codeOf(plane.begin(1))).toBe("committed");
    expect(codeOf(plane.finish("deadline-exceeded"))).toBe("job-unfinished");
    plane.nowMs = 11_000;
    expect(codeOf(plane.finish("deadline-exceeded"))).toBe("committed");
  });

  test("is not bounded at all when it is a plain batch [BA1]", () => {
    const plane = aJobPlane({}, {});
    plane.putDesired({ type: "batch", replicas: 4, command: ["plain"] });
    expect(codeOf(plane.begin(0, 1, 2, 3))).toBe("committed");
    expect(plane.batch).toBeUndefined();
  });
});
