import { describe, expect, it } from "vitest";
import { aCommit } from "../../test/builders/a-commit.ts";
import { aReplica } from "../../test/builders/a-replica.ts";
import { workloadKey } from "../../src/core/model/ids.ts";
import type { Commit } from "../../src/core/protocol/commit-record.ts";
import { BoundCount } from "./bound-count.ts";

const replica = (workload: string, index: number, stage: "queued" | "bound") =>
  aReplica({
    tenant: "red",
    workload,
    index,
    stage,
    ...(stage === "bound" ? { node: "a-1" } : {}),
  });

function change(workload: string, index: number, from: "queued" | "bound"): Commit {
  const after = replica(workload, index, "bound");
  const before = replica(workload, index, from);
  return { ...aCommit({ revision: 1 }), changes: [{ key: after.key, before, after }] };
}

describe("BoundCount", () => {
  it("counts each bind once, and from when its own workload was submitted", () => {
    const bound = new BoundCount(3);
    bound.begin(1_000);
    bound.submitted(workloadKey("red", "x"), 1_000);
    bound.submitted(workloadKey("red", "y"), 1_500);
    bound.see([change("x", 0, "queued")], 1_600);
    bound.see([change("x", 0, "bound"), change("y", 0, "queued")], 2_000);
    expect(bound.count).toBe(2);
    expect([...bound.waits()]).toEqual([600, 500]);
    expect(bound.curve).toEqual([
      [0, 0],
      [600, 1],
      [1_000, 2],
    ]);
    expect(bound.perSecond()).toBe(2);
  });

  it("does not take other changes for progress", () => {
    const bound = new BoundCount(1);
    bound.begin(0);
    bound.see([change("x", 0, "bound")], 500);
    bound.see([aCommit({ revision: 2, put: [replica("x", 1, "queued")] })], 600);
    expect({ count: bound.count, lastMs: bound.lastMs }).toEqual({ count: 0, lastMs: 0 });
  });

  it("resolves when all are bound", async () => {
    const bound = new BoundCount(1);
    bound.begin(performance.now());
    const all = bound.all(Number.MAX_SAFE_INTEGER);
    bound.see([change("x", 0, "queued")], performance.now());
    await expect(all).resolves.toBeUndefined();
  });

  it("resolves when nothing has been bound for longer than patience lasts", async () => {
    const bound = new BoundCount(1);
    bound.begin(performance.now() - 1_000);
    await expect(bound.all(1)).resolves.toBeUndefined();
    expect(bound.count).toBe(0);
  });
});
