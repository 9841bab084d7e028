import { describe, expect, test } from "vitest";
import { aJobPlane, type JobPlane } from "../../../test/builders/a-job-plane.ts";
import { WORKLOAD } from "../../../test/builders/a-plane.ts";
import { aLook } from "../../../test/builders/a-turn.ts";
import type { Controller } from "../runner/controller.ts";
import type { Decision } from "../protocol/decision.ts";
import { KINDS } from "../model/ids.ts";
import { View } from "../observe/view.ts";
import { createAdmit } from "./admit.ts";
import { createFinishBatch } from "./finish-batch.ts";

/** What a controller concludes about the job of the plane. */
function decide(plane: JobPlane, controller: Controller, now = 0): Decision {
  const { objects, revision, epoch } = plane.ledger;
  const all = KINDS.flatMap((kind) => [...objects.all(kind).values()]);
  const view = new View(controller.interest);
  view.replace(
    all.filter(({ kind }) => controller.interest.kinds.has(kind)),
    revision,
    epoch,
  );
  return controller.reconcile(WORKLOAD, view, aLook(now));
}

const deeds = (decision: Decision): readonly unknown[] =>
  decision.kind === "propose"
    ? decision.intents.map((intent) => ({ ...intent, operation: undefined }))
    : [decision.kind];

describe("finish-batch", () => {
  test("says that a job has succeeded when its last index has [BA5]", () => {
    const plane = aJobPlane({ completions: 2 });
    const controller = createFinishBatch();
    expect(decide(plane, controller)).toEqual({ kind: "settled" });
    plane.begin(0, 1);
    plane.end("succeeded", 0);
    expect(decide(plane, controller)).toEqual({ kind: "settled" });
    plane.end("succeeded", 1);
    const finish = { kind: "finish", workload: WORKLOAD, generation: 1 };
    expect(deeds(decide(plane, controller))).toEqual([{ ...finish, end: "succeeded" }]);
    plane.finish("succeeded");
    expect(decide(plane, controller)).toEqual({ kind: "settled" });
  });

  test("waits for the deadline from when it saw the job begin, and a little for both clocks [BA4]", () => {
    const plane = aJobPlane({ activeDeadlineMs: 10_000 });
    const controller = createFinishBatch();
    plane.begin(0);
    const wait = { kind: "wait", reason: "job-deadline", deadlineMs: 10_300 };
    expect(decide(plane, controller, 100)).toMatchObject(wait);
    expect(decide(plane, controller, 10_299)).toMatchObject(wait);
    expect(deeds(decide(plane, controller, 10_300))).toMatchObject([{ end: "deadline-exceeded" }]);
  });

  test("counts anew under a new leadership, which does so too [BA4]", () => {
    const plane = aJobPlane({ activeDeadlineMs: 10_000 });
    const controller = createFinishBatch();
    plane.begin(0);
    decide(plane, controller, 0);
    plane.lead(2);
    expect(decide(plane, controller, 9_000)).toMatchObject({ deadlineMs: 19_200 });
    expect(decide(plane, controller, 19_199)).toMatchObject({ kind: "wait" });
  });

  test("deletes a job once it was kept long enough, and leaves one alone that says nothing [BA6]", () => {
    const plane = aJobPlane({ completions: 1, ttlMs: 1_000 });
    const controller = createFinishBatch();
    plane.begin(0);
    plane.end("succeeded", 0);
    plane.finish("succeeded");
    const wait = { kind: "wait", reason: "job-ttl", deadlineMs: 1_020 };
    expect(decide(plane, controller, 0)).toMatchObject(wait);
    const evidence = { kind: "job-ttl", workload: WORKLOAD };
    expect(deeds(decide(plane, controller, 1_020))).toEqual([
      { kind: "delete", key: WORKLOAD, expect: {}, evidence },
    ]);
    plane.must({ kind: "delete", key: WORKLOAD, expect: {} });
    expect(decide(plane, controller, 2_000)).toEqual({ kind: "settled" });
  });

  test("has nothing to do with batches that are no jobs [BA5]", () => {
    const plane = aJobPlane();
    plane.putDesired({ type: "batch", replicas: 2, command: ["plain"] });
    expect(decide(plane, createFinishBatch())).toEqual({ kind: "settled" });
  });
});

const enqueued = (decision: Decision): unknown =>
  decision.kind === "propose"
    ? decision.intents.map((intent) => (intent.kind === "enqueue" ? intent.indexes : intent.kind))
    : decision.kind;

describe("admit", () => {
  test("gives a job as many incarnations as may live at once, the first indexes first [BA1]", () => {
    const plane = aJobPlane({ completions: 9, parallelism: 2 });
    const admit = createAdmit();
    expect(enqueued(decide(plane, admit))).toEqual([
      [
        { index: 0, incarnation: 1 },
        { index: 1, incarnation: 1 },
      ],
    ]);
    plane.begin(0, 1);
    expect(decide(plane, admit)).toMatchObject({
      kind: "wait",
      reason: "job-parallelism",
      because: { summary: "7 replicas to begin once others have ended" },
    });
    plane.end("succeeded", 1);
    expect(enqueued(decide(plane, admit))).toEqual([[{ index: 2, incarnation: 1 }]]);
  });

  test("tries a failed index again after its pause, and begins another meanwhile [BA1] [ST4]", () => {
    const plane = aJobPlane({ completions: 9, parallelism: 1 });
    const admit = createAdmit();
    plane.begin(0);
    plane.end("failed", 0);
    expect(enqueued(decide(plane, admit, 0))).toEqual([[{ index: 1, incarnation: 1 }]]);
    expect(enqueued(decide(plane, admit, 1_000))).toEqual([[{ index: 0, incarnation: 2 }]]);
  });

  test("leaves an index alone that was given up, and a job that failed too often [BA3]", () => {
    const given = aJobPlane({ completions: 2, parallelism: 1, perIndexRetries: 0 });
    given.begin(0);
    given.end("failed", 0);
    expect(enqueued(decide(given, createAdmit(), 999_999))).toEqual([
      [{ index: 1, incarnation: 1 }],
    ]);
    const failed = aJobPlane({ backoffLimit: 0 });
    failed.begin(0);
    failed.end("failed", 0);
    expect(decide(failed, createAdmit(), 999_999)).toEqual({ kind: "settled" });
  });

  test("ends what still runs of a job that is over, and nothing else of it [BA5]", () => {
    const plane = aJobPlane({ backoffLimit: 0, parallelism: 3 });
    plane.begin(0, 1, 2);
    plane.end("failed", 0);
    plane.end("succeeded", 2);
    plane.finish("backoff-limit-exceeded");
    expect(deeds(decide(plane, createAdmit()))).toEqual([
      {
        kind: "evict",
        replica: "Replica/payments/api.1.1",
        incarnation: 1,
        evidence: { kind: "job-over", workload: WORKLOAD },
      },
    ]);
  });

  test("waits for the end of the old template before it begins a new one [BA1]", () => {
    const plane = aJobPlane();
    plane.begin(0);
    plane.putDesired({ type: "batch", command: ["v2"], batch: { completions: 4, parallelism: 2 } });
    expect(enqueued(decide(plane, createAdmit()))).toEqual(["evict"]);
  });
});
