import { describe, expect, test } from "vitest";
import { aJobPlane, type JobPlane } from "../../../../test/builders/a-job-plane.ts";
import { putting, indexKey, WORKLOAD } from "../../../../test/builders/a-plane.ts";
import { aWorkloadSpec } from "../../../../test/builders/a-workload.ts";
import { codeOf } from "../../../../test/builders/code-of.ts";
import type { BatchSpec } from "../../model/batch.ts";

const OVER = { kind: "job-over", workload: WORKLOAD } as const;
const TTL = { kind: "job-ttl", workload: WORKLOAD } as const;

/** Its one index has ended so when its time is up. */
const late = (ends: "succeeded" | "failed"): JobPlane => {
  const plane = aJobPlane({ completions: 1, activeDeadlineMs: 1_000 });
  plane.begin(0);
  plane.end(ends, 0);
  plane.nowMs = 1_000;
  return plane;
};

describe("a job is over", () => {
  test("when all of its indexes have succeeded, and not before; it is said once [BA5]", () => {
    const plane = aJobPlane({ completions: 2 });
    expect(codeOf(plane.finish("succeeded"))).toBe("job-unfinished");
    plane.begin(0, 1);
    plane.end("succeeded", 0);
    expect(codeOf(plane.finish("succeeded"))).toBe("job-unfinished");
    plane.end("succeeded", 1);
    plane.nowMs = 70;
    expect(codeOf(plane.finish("failed-indexes"))).toBe("job-unfinished");
    expect(codeOf(plane.finish("succeeded"))).toBe("committed");
    expect(plane.batch?.finished).toEqual({ end: "succeeded", atMs: 70, epoch: 1 });
    expect(codeOf(plane.finish("succeeded"))).toBe("job-finished");
  });

  test("when more has failed than it allows [BA5]", () => {
    const plane = aJobPlane({ backoffLimit: 0 });
    plane.begin(0);
    expect(codeOf(plane.finish("backoff-limit-exceeded"))).toBe("job-unfinished");
    plane.end("failed", 0);
    expect(codeOf(plane.finish("backoff-limit-exceeded"))).toBe("committed");
  });

  test("when all but those that were given up have succeeded [BA5]", () => {
    const plane = aJobPlane({ completions: 2, perIndexRetries: 0 });
    plane.begin(0, 1);
    plane.end("failed", 0);
    expect(codeOf(plane.finish("failed-indexes"))).toBe("job-unfinished");
    plane.end("succeeded", 1);
    expect(codeOf(plane.finish("failed-indexes"))).toBe("committed");
  });

  test("when its time is up, unless all of it has succeeded by then [BA5] [BA4]", () => {
    expect(codeOf(late("failed").finish("deadline-exceeded"))).toBe("committed");
    expect(codeOf(late("succeeded").finish("deadline-exceeded"))).toBe("job-unfinished");
    const endless = aJobPlane();
    endless.begin(0);
    expect(codeOf(endless.finish("deadline-exceeded"))).toBe("job-unfinished");
  });

  test("only when its own controller says so, of its present template, and while it stays [BA5]", () => {
    const plane = aJobPlane({ completions: 1 });
    plane.begin(0);
    plane.end("succeeded", 0);
    const finish = { kind: "finish", workload: WORKLOAD, generation: 1, end: "succeeded" } as const;
    expect(codeOf(plane.send(finish, { role: "admit" }))).toBe("not-owner");
    expect(codeOf(plane.finish("succeeded", 2))).toBe("generation-changed");
    plane.must({ kind: "delete", key: WORKLOAD, expect: {} });
    expect(codeOf(plane.finish("succeeded"))).toBe("being-deleted");
  });

  test("and begins nothing more; a new template runs it anew [BA2] [BA5]", () => {
    const plane = aJobPlane({ backoffLimit: 0 });
    plane.begin(0, 1);
    plane.end("failed", 0);
    plane.finish("backoff-limit-exceeded");
    expect(codeOf(plane.begin(2))).toBe("job-finished");
    plane.putDesired({ type: "batch", batch: { completions: 4, parallelism: 3, backoffLimit: 9 } });
    expect(codeOf(plane.begin(2))).toBe("job-finished");
    plane.must({ kind: "evict", replica: indexKey(1), incarnation: 1, evidence: OVER });
    plane.putDesired({ type: "batch", command: ["v2"], batch: { completions: 5, parallelism: 3 } });
    expect(plane.batch).toBeUndefined();
    expect(codeOf(plane.begin(0, 1, 2))).toBe("committed");
  });

  test("and only its own live replicas may be asked to stop [BA5] [EV1] [EV2]", () => {
    const plane = aJobPlane({ backoffLimit: 0, parallelism: 3 });
    plane.begin(0, 1, 2);
    plane.must({ kind: "bind", replica: indexKey(1), incarnation: 1, node: "a-1", deviceIds: [] });
    plane.end("failed", 0);
    const evict = (index: number, evidence: typeof OVER | typeof TTL = OVER) =>
      ({ kind: "evict", replica: indexKey(index), incarnation: 1, evidence }) as const;
    expect(codeOf(plane.send(evict(1)))).toBe("evidence-wrong");
    plane.finish("backoff-limit-exceeded");
    expect(codeOf(plane.send(evict(1), { role: "finish-batch" }))).toBe("not-owner");
    expect(codeOf(plane.send(evict(1, TTL)))).toBe("evidence-missing");
    plane.must(evict(1));
    expect(plane.replica(1).status.stopping?.reason).toBe("finished");
    plane.must(evict(2));
    expect(plane.replica(2).status.stage).toBe("released");
  });

  test("and one that its node would begin anew is not begun anew [BA2] [DC1]", () => {
    const plane = aJobPlane({ backoffLimit: 0 }, { replaceAfterMs: 60_000 });
    plane.begin(0, 1);
    plane.must({ kind: "bind", replica: indexKey(1), incarnation: 1, node: "a-1", deviceIds: [] });
    plane.end("failed", 0);
    plane.finish("backoff-limit-exceeded");
    plane.renew({ session: 2 });
    expect(plane.replica(1).status).toMatchObject({ incarnation: 1, session: 1 });
  });
});

const over = (ttlMs?: number): JobPlane => {
  const plane = aJobPlane({ completions: 1, ...(ttlMs === undefined ? {} : { ttlMs }) });
  plane.begin(0);
  plane.end("succeeded", 0);
  plane.nowMs = 1_000;
  plane.finish("succeeded");
  return plane;
};

describe("a job that is over", () => {
  const goes = { kind: "delete", key: WORKLOAD, expect: {}, evidence: TTL } as const;
  const as = { role: "finish-batch" } as const;

  test("goes by itself once it was kept for as long as it says, its replicas first [BA6]", () => {
    const plane = over(5_000);
    plane.nowMs = 5_999;
    expect(plane.send(goes, as)).toMatchObject({ code: "job-ttl", actual: "1 ms left" });
    plane.nowMs = 6_000;
    expect(codeOf(plane.send({ ...goes, evidence: OVER }, as))).toBe("evidence-missing");
    const other = { ...TTL, workload: indexKey(0) };
    expect(codeOf(plane.send({ ...goes, evidence: other }, as))).toBe("evidence-wrong");
    plane.must(goes, as);
    expect(plane.lastCommit.evidence).toEqual(TTL);
    expect(plane.workload().meta.deletingMs).toBe(6_000);
    expect(plane.replica(0)).toBeDefined();
  });

  test("is kept anew under another leadership, and for ever without a time [BA6]", () => {
    const plane = over(5_000);
    plane.nowMs = 500_000;
    plane.lead(2);
    expect(codeOf(plane.send(goes, as))).toBe("job-ttl");
    plane.nowMs = 505_000;
    expect(codeOf(plane.send(goes, as))).toBe("committed");
    const kept = over();
    kept.nowMs = 900_000;
    expect(codeOf(kept.send(goes, as))).toBe("not-owner");
    const open = aJobPlane({ ttlMs: 0 });
    expect(codeOf(open.send(goes, as))).toBe("not-owner");
  });
});

describe("the spec of a job", () => {
  test.each<{ title: string; batch: Partial<BatchSpec>; of?: object }>([
    { title: "without an index", batch: { completions: 0 } },
    { title: "with half an index", batch: { completions: 1.5 } },
    { title: "with other replicas than completions", batch: {}, of: { replicas: 3 } },
    { title: "that runs nothing at once", batch: { parallelism: 0 } },
    { title: "with less than no failures", batch: { backoffLimit: -1 } },
    { title: "with less than no retries", batch: { perIndexRetries: -1 } },
    { title: "with no time at all", batch: { activeDeadlineMs: 0 } },
    { title: "that is kept for more than a year", batch: { ttlMs: 31_536_000_001 } },
    { title: "that is a service", batch: {}, of: { type: "service" } },
    { title: "with a disruption budget", batch: {}, of: { disruption: { maxUnavailable: 1 } } },
    { title: "of a gang that would run in part", batch: {}, of: { gang: { deadlineMs: 1 } } },
    {
      title: "of a gang that would run without one",
      batch: { parallelism: 4, perIndexRetries: 0 },
      of: { gang: { deadlineMs: 1 } },
    },
  ])("$title is refused [BA7]", ({ batch, of }) => {
    const parts = { type: "batch", batch: { completions: 4, parallelism: 2, ...batch }, ...of };
    const spec = aWorkloadSpec(parts as Parameters<typeof aWorkloadSpec>[0]);
    const plane = aJobPlane({}, {});
    const outcome = plane.send(putting(WORKLOAD, { kind: "Workload", spec }));
    expect(outcome).toMatchObject({ code: "bad-object" });
  });

  test("keeps its completions for as long as its template [BA7]", () => {
    const plane = aJobPlane();
    const put = (parts: Parameters<typeof aWorkloadSpec>[0]) =>
      codeOf(plane.send(putting(WORKLOAD, { kind: "Workload", spec: aWorkloadSpec(parts) })));
    expect(put({ type: "batch", batch: { completions: 5, parallelism: 2 } })).toBe(
      "completions-fixed",
    );
    expect(put({ type: "batch", replicas: 4 })).toBe("completions-fixed");
    expect(put({ type: "batch", batch: { completions: 4, parallelism: 4 } })).toBe("committed");
    const anew = { type: "batch", command: ["v2"], batch: { completions: 5 } } as const;
    expect(put(anew)).toBe("committed");
  });
});
