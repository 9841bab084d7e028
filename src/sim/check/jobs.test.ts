import { describe, expect, test } from "vitest";
import type { BatchSpec, BatchStatus, JobEnd } from "../../core/model/batch.ts";
import type { Replica, Workload } from "../../core/model/objects.ts";
import { CheckerHarness } from "../../../test/builders/check/checker-harness.ts";
import {
  aProcess,
  aReplica,
  aWorkload,
  bound,
  freed,
  withStatus,
} from "../../../test/builders/check/fixtures.ts";
import { createJobsChecker } from "./jobs.ts";

const NOW = { atMs: 0, epoch: 1 };

const job = (batch: Partial<BatchSpec> = {}, status?: BatchStatus, generation = 1): Workload => {
  const spec = { type: "batch", replicas: 2, batch: { completions: 2, ...batch } } as const;
  const made = aWorkload({ spec, generation });
  return status === undefined ? made : { ...made, status: { ...made.status, batch: status } };
};

const over = (end: JobEnd, batch: Partial<BatchSpec> = {}): Workload =>
  job(batch, { started: NOW, finished: { ...NOW, end } });

const replica = (index = 0, generation = 1): Replica =>
  aReplica({ spec: { index, generation, type: "batch" }, status: { stage: "queued" } });

const ended = (stage: "succeeded" | "failed", index = 0): Replica =>
  freed(replica(index), { stage });

const again = (of: Replica): Replica => withStatus(of, { stage: "queued", incarnation: 2 });

function aHarness(workload: Workload, ...replicas: readonly Replica[]): CheckerHarness {
  const harness = new CheckerHarness(createJobsChecker());
  harness.commit({ put: [workload] });
  harness.commit({ command: "enqueue", role: "admit", put: replicas });
  // How it came to this is not what a test is about.
  harness.found.length = 0;
  return harness;
}

const begin = (
  harness: CheckerHarness,
  ...put: readonly (Replica | Workload)[]
): readonly string[] => {
  harness.commit({ command: "enqueue", role: "admit", put });
  return harness.found;
};

const finish = (harness: CheckerHarness, to: Workload): readonly string[] => {
  harness.commit({ command: "finish", role: "finish-batch", put: [to] });
  return harness.found;
};

describe("an incarnation of a job", () => {
  test("beside as many others as may live is right, and beside more is reported [INV100]", () => {
    expect(begin(aHarness(job({ parallelism: 2 })), replica(0), replica(1))).toEqual([]);
    expect(begin(aHarness(job()), replica(0), replica(1))).toEqual([
      "INV100 After enqueue of harness, 2 of Workload/payments/api live, of at most 1.",
    ]);
  });

  test("beside one of an earlier template is reported [INV100]", () => {
    const harness = aHarness(job({ parallelism: 2 }, undefined, 2), replica(0));
    expect(begin(harness, replica(1, 2))).toEqual([
      "INV100 After enqueue of harness, Replica/payments/api.1.0 still runs beside a new template.",
    ]);
  });

  test("of an index that succeeded, was given up, or of a job that is over is reported [INV101]", () => {
    const done = aHarness(job(), replica());
    done.commit({ command: "report", role: "agent", put: [ended("succeeded")] });
    expect(begin(done, again(replica()))).toEqual([
      "INV101 Replica/payments/api.1.0 began an incarnation, and its index had succeeded.",
    ]);
    const given = aHarness(job({ perIndexRetries: 0 }), replica());
    given.commit({ command: "report", role: "agent", put: [ended("failed")] });
    expect(begin(given, again(replica()))).toEqual([
      "INV101 Replica/payments/api.1.0 began an incarnation after 1 failures, 1 of all.",
    ]);
    const limited = aHarness(job({ backoffLimit: 0 }), replica());
    limited.commit({ command: "report", role: "agent", put: [ended("failed")] });
    expect(finish(limited, over("backoff-limit-exceeded", { backoffLimit: 0 }))).toEqual([]);
    expect(begin(limited, replica(1))).toEqual([
      "INV101 Replica/payments/api.1.1 began an incarnation, and its job was over.",
      "INV101 Replica/payments/api.1.1 began an incarnation after 0 failures, 1 of all.",
    ]);
  });

  test("that begins after a failure that it may have is right [INV101]", () => {
    const harness = aHarness(job({ perIndexRetries: 1 }), replica());
    harness.commit({ command: "report", role: "agent", put: [ended("failed")] });
    expect(begin(harness, again(replica()))).toEqual([]);
  });
});

describe("the end of a job", () => {
  test("is reported when it is not true, and not when it is [INV102]", () => {
    const early = aHarness(job(), replica(0));
    early.commit({ command: "report", role: "agent", put: [ended("succeeded", 0)] });
    expect(finish(early, over("succeeded"))).toEqual([
      "INV102 Workload/payments/api is said to be succeeded: 1 have succeeded.",
    ]);
    const done = aHarness(job(), replica(0), replica(1));
    const put = [ended("succeeded", 0), ended("succeeded", 1)];
    done.commit({ command: "report", role: "agent", put });
    expect(finish(done, over("succeeded"))).toEqual([]);
    const given = aHarness(job({ perIndexRetries: 0 }), replica(0));
    given.commit({ command: "report", role: "agent", put: [ended("failed", 0)] });
    expect(finish(given, over("failed-indexes", { perIndexRetries: 0 }))).toEqual([
      "INV102 Workload/payments/api is said to be failed-indexes: 1 were given up.",
    ]);
    const few = aHarness(job(), replica(0));
    few.commit({ command: "report", role: "agent", put: [ended("failed", 0)] });
    expect(finish(few, over("backoff-limit-exceeded"))).toEqual([
      "INV102 Workload/payments/api is said to be backoff-limit-exceeded: 1 have failed.",
    ]);
  });

  test("for its deadline is reported before its time in true time, under each leadership [INV102]", () => {
    const batch = { activeDeadlineMs: 60_000 };
    const harness = aHarness(job(batch), replica(0));
    harness.nowMs = 50_000;
    expect(finish(harness, over("deadline-exceeded", batch))).toEqual([
      "INV102 Workload/payments/api is said to be deadline-exceeded: it has been active for 50000 ms.",
    ]);
    const anew = aHarness(job(batch), replica(0));
    anew.nowMs = 59_000;
    anew.commit({ command: "lead", epoch: 2 });
    anew.nowMs = 70_000;
    anew.commit({
      command: "finish",
      role: "finish-batch",
      epoch: 2,
      put: [over("deadline-exceeded", batch)],
    });
    expect(anew.found[0]).toContain("it has been active for 11000 ms");
    const late = aHarness(job(batch), replica(0));
    late.nowMs = 60_000;
    expect(finish(late, over("deadline-exceeded", batch))).toEqual([]);
  });

  test("is not taken back, and a job does not go before it was kept long enough [INV102]", () => {
    const batch = { backoffLimit: 0, ttlMs: 60_000 };
    const harness = aHarness(job(batch), replica(0));
    harness.commit({ command: "report", role: "agent", put: [ended("failed", 0)] });
    finish(harness, over("backoff-limit-exceeded", batch));
    harness.nowMs = 30_000;
    const held = over("backoff-limit-exceeded", batch);
    const leaving: Workload = { ...held, meta: { ...held.meta, deletingMs: 1 } };
    harness.commit({ command: "delete", role: "finish-batch", put: [leaving] });
    expect(harness.found).toEqual([
      "INV102 Workload/payments/api was deleted 30000 ms after its end.",
    ]);
    harness.commit({ put: [job(batch)] });
    expect(harness.found.at(-1)).toBe(
      "INV102 Workload/payments/api was backoff-limit-exceeded and became open again.",
    );
  });
});

describe("a process of a job", () => {
  test("beside another of the same index is reported, of whatever template [INV103]", () => {
    const harness = aHarness(job({}, undefined, 2), bound(replica(0)), bound(replica(0, 2)));
    const first = aProcess({ replica: replica(0).key, node: "node-1" });
    harness.start(first);
    harness.start(aProcess({ replica: replica(0, 2).key, node: "node-2" }));
    expect(harness.found).toEqual([
      "INV103 Replica/payments/api.2.0 incarnation 1 was started on node-2 while Replica/payments/api.1.0 incarnation 1 runs on node-1.",
    ]);
  });

  test("after the one before it, or beside one of another index, is right [INV103]", () => {
    const harness = aHarness(job(), bound(replica(0)), bound(replica(1)));
    const first = aProcess({ replica: replica(0).key });
    harness.start(first);
    harness.start(aProcess({ replica: replica(1).key }));
    harness.end(first);
    harness.start({ ...first, incarnation: 2 });
    expect(harness.found).toEqual([]);
  });
});
