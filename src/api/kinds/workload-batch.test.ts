import { describe, expect, test } from "vitest";
import { aWorkload } from "../../../test/builders/a-workload.ts";
import type { WorkloadSpec } from "../../core/model/objects.ts";
import { ObjectIndex } from "../../core/observe/object-index.ts";
import { workloadKind } from "./workload.ts";

const LEAST = { type: "batch", resources: { cpu: 1, memory: "1Gi" }, run: { command: ["work"] } };

const read = (batch: unknown, more: object = {}) =>
  workloadKind.toDesired({ ...LEAST, ...more, batch });

const specOf = (batch: unknown, more: object = {}): WorkloadSpec => {
  const desired = read(batch, more);
  if (!("kind" in desired) || desired.kind !== "Workload") throw new Error(JSON.stringify(desired));
  return desired.spec;
};

describe("what makes a batch a job", () => {
  test("is read whole, and says how many replicas there are", () => {
    const given = { completions: 10, parallelism: 3, backoffLimit: 6, perIndexRetries: 2 };
    const { batch, replicas } = specOf({ ...given, activeDeadline: "1h", ttl: "48h" });
    expect(replicas).toBe(10);
    expect(batch).toEqual({ ...given, activeDeadlineMs: 3_600_000, ttlMs: 172_800_000 });
    expect(specOf({ completions: 2 })).toMatchObject({ replicas: 2, batch: { completions: 2 } });
    expect(specOf({ completions: 2 }, { replicas: 2 }).replicas).toBe(2);
  });

  test("is left alone where it is left out: a batch has one replica, or as many as it says", () => {
    expect(specOf(undefined)).toMatchObject({ type: "batch", replicas: 1 });
    expect(specOf(undefined).batch).toBeUndefined();
    expect(specOf(undefined, { replicas: 3 }).replicas).toBe(3);
  });

  test("is written as it was read, without replicas", () => {
    const batch = { completions: 4, parallelism: 2, activeDeadlineMs: 60_000, ttlMs: 0 };
    const shown = workloadKind.toApi(aWorkload({ type: "batch", batch }), new ObjectIndex());
    const { spec } = shown as { spec: { batch: object; replicas?: number } };
    expect(spec.replicas).toBeUndefined();
    expect(spec.batch).toMatchObject({ completions: 4, activeDeadline: "1m", ttl: "0s" });
    expect(specOf(spec.batch).batch).toEqual(batch);
  });

  test("is scaled in how many run at once", () => {
    const job = aWorkload({ type: "batch", batch: { completions: 4, parallelism: 2 } });
    const { scale } = workloadKind;
    expect(scale?.replicas(job)).toBe(2);
    expect(scale?.withReplicas({ batch: { completions: 4 } }, 3)).toEqual({
      batch: { completions: 4, parallelism: 3 },
    });
  });

  test.each([
    [{}, { type: "service" }, "spec.batch", /found on a service/],
    [{}, { replicas: 3 }, "spec.replicas", /found 3 beside spec.batch.completions 4/],
    [{}, { disruption: { maxUnavailable: 1 } }, "spec.disruption", /found beside spec.batch/],
    [{}, { gang: { deadline: "1m" } }, "spec.batch.parallelism", /found 1; expected 4/],
    [
      { parallelism: 4, perIndexRetries: 1 },
      { gang: { deadline: "1m" } },
      "spec.batch.perIndexRetries",
      /found on a gang/,
    ],
    [{ activeDeadline: "0s" }, {}, "spec.batch.activeDeadline", /found "0s"; .* from 1ms to 8760h/],
    [{ ttl: "9000h" }, {}, "spec.batch.ttl", /found "9000h"; .* from 0s to 8760h/],
  ])("is refused with its field: %j %j", (batch, more, field, message) => {
    expect(read({ completions: 4, ...batch }, more)).toEqual([
      { field, message: expect.stringMatching(message) },
    ]);
  });
});
